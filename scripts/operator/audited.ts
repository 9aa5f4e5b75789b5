import { userInfo } from 'node:os';
import type { AuditCounts, AuditedAct, AuditKind, AuditService } from '../../lib/audit/types.ts';
import { LrsError, UnavailableError } from '../../lib/errors.ts';
import { statusOf } from '../../lib/http/error-response.ts';
import { failureReasons } from '../failure-reasons.ts';

/** A command as the audit trail names it, without an account: who uses the command line is known to the operating system only. */
export function commandAct(action: string, kind: AuditKind): AuditedAct {
  const client = `command line (${userName()})`;
  return { account: undefined, kind, action: `serverless-lrs ${action}`, client };
}

/** A container may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

/** What became of a command, which the work keeps up to date. */
export interface CommandEnd {
  counts?: AuditCounts;
  interrupted?: boolean;
  /** What it was done to, where that is known only now. */
  subject?: string;
}

/**
 * Runs a command. Its entry in the audit trail is written before it begins, and completed when it has ended; of a process that is
 * killed, the outcome stays unknown. So it does where the entry cannot be completed, which is no failure of the command.
 * @throws what the work throws; UnavailableError when the entry cannot be written, and then nothing is done.
 */
export async function audited<Result>(
  audit: Pick<AuditService, 'begin' | 'finish'>,
  act: AuditedAct,
  work: (end: CommandEnd) => Promise<Result>,
): Promise<Result> {
  const end: CommandEnd = {};
  const begun = await audit.begin(act).catch((cause: unknown) => {
    throw new UnavailableError(
      `The audit trail cannot be written, so the command is not carried out: ${failureReasons(cause).join(' ')}`,
      { cause },
    );
  });
  let result: Result;
  try {
    result = await work(end);
  } catch (error) {
    // The database may be out of reach, which the error says.
    const status = error instanceof LrsError ? statusOf[error.kind] : 500;
    await audit.finish(begun, { ...act, ...end, status }).catch(() => {});
    throw error;
  }
  await audit.finish(begun, { ...act, ...end, status: 200 }).catch((error: unknown) => {
    console.error(`The audit trail does not say how this ended: ${failureReasons(error).join(' ')}`);
  });
  return result;
}
