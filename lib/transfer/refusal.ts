import { LrsError } from '../errors.ts';
import type { Refusal } from './records.ts';

/** What an error says about the record that caused it. @throws the error itself when it is not about the record. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof LrsError) || error.kind === 'unavailable') throw error;
  const section = error.details.find((detail) => detail.section !== undefined)?.section;
  return { refused: error.message, ...(section !== undefined && { rule: section }) };
}
