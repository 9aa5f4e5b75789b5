import { ConflictError } from '../errors.ts';
import { sameStatement } from '../xapi/statement/equal.ts';
import type { Statement } from '../xapi/types.ts';
import type { PreparedStatement } from './prepare.ts';

/** What becomes of one request: the statements of it that are new, or why none of them is stored. */
export type Admission =
  | { readonly admitted: readonly PreparedStatement[] }
  | { readonly refused: ConflictError };

/**
 * Decides for each request in turn which of its statements are new. One that is already there and equal is not stored
 * again; one that differs refuses its whole request, and only that one (xAPI 1.0.3 Communication 2.1.1, 2.1.2).
 * @param findStored the stored statement with that (lower-case) id.
 */
export function admit(
  requests: readonly (readonly PreparedStatement[])[],
  findStored: (id: string) => Statement | undefined,
): Admission[] {
  const arrived = new Map<string, PreparedStatement>();
  return requests.map((statements) => {
    const fresh = new Map<string, PreparedStatement>();
    for (const candidate of statements) {
      const { id } = candidate;
      const existing = (fresh.get(id) ?? arrived.get(id))?.text.sent() ?? asSent(findStored(id));
      if (existing === undefined) fresh.set(id, candidate);
      else if (!sameStatement(existing, candidate.text.sent()))
        return { refused: conflict(candidate.writtenId) };
    }
    for (const each of fresh.values()) arrived.set(each.id, each);
    return { admitted: [...fresh.values()] };
  });
}

/**
 * A missing timestamp was set to `stored` (xAPI 1.0.3 Data 2.4.7), so the client may have given any other copy of the
 * statement one. Only the `stored` of this store tells: that of an incoming statement is whatever its sender wrote.
 */
function asSent(stored: Statement | undefined): Statement | undefined {
  if (stored?.timestamp === undefined || stored.timestamp !== stored.stored) return stored;
  const { timestamp: _, ...sent } = stored;
  return sent;
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
