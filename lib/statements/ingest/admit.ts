import { ConflictError } from '../../errors.ts';
import { giveWayBriefly, Pauses } from '../../in-turns.ts';
import { asSent, sameStatement } from '../../xapi/statement/equal.ts';
import type { Statement } from '../../xapi/types.ts';
import type { PreparedStatement } from './prepare.ts';

/** The result for one request: its new statements, or why none of them is stored. */
export type Admission =
  | { readonly admitted: readonly PreparedStatement[] }
  | { readonly refused: ConflictError };

/**
 * Decides for each request in turn which of its statements are new. A stored and equal one is not stored again; one that
 * differs refuses its whole request, and only that request (xAPI 1.0.3 Communication 2.1.1, 2.1.2).
 */
export async function admit(
  requests: readonly (readonly PreparedStatement[])[],
  findStored: FindStored,
): Promise<Admission[]> {
  const arrived = new Map<string, PreparedStatement>();
  const pauses = new Pauses(giveWayBriefly);
  const admissions: Admission[] = [];
  for (const statements of requests) {
    const admission = await admitOne(statements, { arrived, findStored, pauses });
    if ('admitted' in admission) for (const each of admission.admitted) arrived.set(each.id, each);
    admissions.push(admission);
  }
  return admissions;
}

/** The stored statement with a lower-case id; a promise where it has to be read. */
type FindStored = (id: string) => Promise<Statement | undefined> | Statement | undefined;

async function admitOne(
  statements: readonly PreparedStatement[],
  {
    arrived,
    findStored,
    pauses,
  }: {
    readonly arrived: ReadonlyMap<string, PreparedStatement>;
    readonly findStored: FindStored;
    readonly pauses: Pauses;
  },
): Promise<Admission> {
  const fresh = new Map<string, PreparedStatement>();
  for (const candidate of statements) {
    const { id } = candidate;
    const found = (fresh.get(id) ?? arrived.get(id))?.text.sent() ?? findStored(id);
    const existing = found instanceof Promise ? await found : found;
    if (existing === undefined) fresh.set(id, candidate);
    else if (!sameStatement(asSent(existing), candidate.text.sent()))
      return { refused: conflict(candidate.writtenId) };
    const pause = existing === undefined ? undefined : pauses.pause();
    if (pause !== undefined) await pause;
  }
  return { admitted: [...fresh.values()] };
}

function conflict(id: string): ConflictError {
  return new ConflictError(
    `A different statement with the id ${id} is already stored; statements can't be changed (xAPI 1.0.3 Data 2.3.1).`,
    {
      details: [
        { path: 'id', message: `${id} is taken by a different statement`, section: 'xAPI 1.0.3 Data 2.3.1' },
      ],
    },
  );
}
