import { failureReasons } from '../failure-reasons.ts';

/** What was found of one thing. Only `failed` makes the doctor end with status 1. */
export interface Finding {
  readonly check: string;
  readonly outcome: 'ok' | 'warning' | 'failed';
  /** What was found, and what to do about it. */
  readonly message: string;
}

type Look = () => Promise<readonly Finding[]> | readonly Finding[];

const finding =
  (outcome: Finding['outcome']) =>
  (check: string, message: string): Finding => ({ check, outcome, message });

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');

/** Looks at one thing; an error is a finding, too. */
export async function lookedAt(check: string, look: Look): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return failureReasons(error).map((reason) => failed(check, reason));
  }
}
