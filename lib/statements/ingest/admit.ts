import { ConflictError } from '../../errors.ts';
import { giveWayBriefly, Pauses, type Pausing } from '../../in-turns.ts';
import { digestOf, type StatementDigest, sameDigest } from '../../xapi/statement/equal.ts';
import type { PreparedStatement } from './prepare.ts';

/** The result for one request: its new statements, or why none of them is stored. */
export type Admission =
  | { readonly admitted: readonly PreparedStatement[] }
  | { readonly refused: ConflictError };

/**
 * Decides for each request in turn which of its statements are new. A stored and equal one is not stored again; one that
 * differs refuses its whole request, and only that request (xAPI 1.0.3 Communication 2.1.1, 2.1.2).
 * @param findStored called for each statement with an id that none of the others has.
 */
export async function admit(
  requests: readonly (readonly PreparedStatement[])[],
  findStored: FindStored,
): Promise<Admission[]> {
  const arrived = new Map<string, PreparedStatement>();
  const digests = new DigestsOfSent();
  const pauses = new Pauses(giveWayBriefly);
  const admissions: Admission[] = [];
  for (const statements of requests) {
    const admission = await admitOne(statements, { arrived, digests, findStored, pauses });
    if ('admitted' in admission) for (const each of admission.admitted) arrived.set(each.id, each);
    admissions.push(admission);
  }
  return admissions;
}

/** The digest of the stored statement with a lower-case id, without what an LRS assigns; a promise where it has to be read. */
type FindStored = (
  id: string,
  pauses: Pausing,
) => Promise<StatementDigest | undefined> | StatementDigest | undefined;

/** Of statements with which others are compared: many may have the id of a long one. */
class DigestsOfSent {
  readonly #known = new Map<PreparedStatement, StatementDigest>();

  async of(prepared: PreparedStatement, pauses: Pausing): Promise<StatementDigest> {
    const known = this.#known.get(prepared);
    if (known !== undefined) return known;
    const digest = await digestOfSent(prepared, pauses);
    this.#known.set(prepared, digest);
    return digest;
  }
}

async function digestOfSent({ text }: PreparedStatement, pauses: Pausing): Promise<StatementDigest> {
  const sent = text.sent();
  await pauses.pause();
  return digestOf(sent, () => pauses.pause());
}

async function admitOne(
  statements: readonly PreparedStatement[],
  {
    arrived,
    digests,
    findStored,
    pauses,
  }: {
    readonly arrived: ReadonlyMap<string, PreparedStatement>;
    readonly digests: DigestsOfSent;
    readonly findStored: FindStored;
    readonly pauses: Pausing;
  },
): Promise<Admission> {
  const fresh = new Map<string, PreparedStatement>();
  for (const candidate of statements) {
    const { id } = candidate;
    const sent = fresh.get(id) ?? arrived.get(id);
    const found = sent === undefined ? findStored(id, pauses) : digests.of(sent, pauses);
    const existing = found instanceof Promise ? await found : found;
    if (existing === undefined) {
      fresh.set(id, candidate);
      continue;
    }
    if (!sameDigest(existing, await digestOfSent(candidate, pauses)))
      return { refused: conflict(candidate.writtenId) };
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
