import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../../../lib/errors.ts';
import { admit } from '../../../../lib/statements/ingest/admit.ts';
import { type PreparedStatement, prepareBatch } from '../../../../lib/statements/ingest/prepare.ts';
import { asSent, digestOf } from '../../../../lib/xapi/statement/equal.ts';
import type { Statement } from '../../../../lib/xapi/types.ts';
import { batchOf, statement } from '../../../support/statements.ts';

const id = randomUUID();
const other = { id: 'https://example.org/verbs/other' };

/** What becomes of requests when `stored` is in the store: the number of new statements of each, or the refusal. */
async function decide(stored: Statement | undefined, ...requests: Statement[][]) {
  const prepared: PreparedStatement[][] = await Promise.all(
    requests.map((statements) => prepareBatch(batchOf(statements))),
  );
  const admissions = await admit(prepared, (wanted) =>
    stored !== undefined && wanted === stored.id ? digestOf(asSent(stored), () => undefined) : undefined,
  );
  return admissions.map((each) => ('refused' in each ? each.refused : each.admitted.length));
}

describe('requests that are written together', () => {
  it('may bring an equal statement each, of which the first is stored', async () => {
    expect(await decide(undefined, [statement({ id })], [statement({ id }), statement()])).toEqual([1, 1]);
  });

  it('are refused one by one when a statement of an earlier one differs', async () => {
    const outcomes = await decide(
      undefined,
      [statement({ id })],
      [statement(), statement({ id, verb: other })],
      [statement()],
    );
    expect(outcomes).toEqual([1, expect.any(ConflictError), 1]);
  });

  it('do not suffer from a refused one: its ids stay free', async () => {
    const taken = statement({ id });
    const free = randomUUID();
    const outcomes = await decide(
      taken,
      [statement({ id: free }), statement({ id, verb: other })],
      [statement({ id: free, verb: other })],
    );
    expect(outcomes).toEqual([expect.any(ConflictError), 1]);
  });

  it('differ by the timestamp, whatever they say of when they were stored', async () => {
    const timestamp = '2023-12-31T00:00:00Z';
    const claimed = { timestamp, stored: timestamp };
    const other = '2022-01-01T00:00:00Z';
    expect(
      await decide(statement({ id, timestamp: other, stored: '2024-01-01T00:00:00Z' }), [
        statement({ id, ...claimed }),
      ]),
    ).toEqual([expect.any(ConflictError)]);
    expect(
      await decide(undefined, [statement({ id, ...claimed })], [statement({ id, timestamp: other })]),
    ).toEqual([1, expect.any(ConflictError)]);
  });

  it('may give a timestamp to a statement that got its own here', async () => {
    const stored = '2024-01-01T00:00:00.000001Z';
    const existing = statement({ id, stored, timestamp: stored });
    expect(await decide(existing, [statement({ id, timestamp: '2023-12-31T00:00:00Z' })])).toEqual([0]);
  });

  it('store nothing of what is stored already', async () => {
    expect(await decide(statement({ id }), [statement({ id })])).toEqual([0]);
  });
});
