import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../../lib/errors.ts';
import { admit } from '../../../lib/statements/admit.ts';
import { type PreparedStatement, prepareBatch } from '../../../lib/statements/prepare.ts';
import type { Statement } from '../../../lib/xapi/types.ts';
import { batchOf, statement } from '../../support/statements.ts';

const id = randomUUID();
const other = { id: 'https://example.org/verbs/other' };

/** What becomes of requests when `stored` is in the store: the number of new statements of each, or the refusal. */
async function decide(stored: Statement | undefined, ...requests: Statement[][]) {
  const prepared: PreparedStatement[][] = await Promise.all(
    requests.map((statements) => prepareBatch(batchOf(statements))),
  );
  const admissions = admit(prepared, (wanted) => (wanted === stored?.id ? stored : undefined));
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

  it('store nothing of what is stored already', async () => {
    expect(await decide(statement({ id }), [statement({ id })])).toEqual([0]);
  });
});
