import { describe, expect, it } from 'vitest';
import { RecentStatements } from '../../../lib/feed/recent-statements.ts';
import { prepareBatch } from '../../../lib/statements/ingest/prepare.ts';
import { batchOf, statement } from '../../support/statements.ts';

const verb = { id: 'https://example.org/verbs/did' };

async function committed(after: number, first: number, count: number, bytes = 0) {
  const response = 'x'.repeat(bytes);
  const statements = Array.from({ length: count }, () => statement({ verb, result: { response } }));
  return { after, first, statements: await prepareBatch(batchOf(statements)) };
}

const positions = (recent: RecentStatements, after: number, most = 100) =>
  recent.behind(after, most)?.map(({ position }) => position);

describe('The heads of recent statements', () => {
  it('are all that is behind a position, as long as nobody else has stored or erased anything between', async () => {
    const recent = new RecentStatements(100);
    recent.note(await committed(5, 10, 2));
    recent.note(await committed(11, 20, 1));
    expect(positions(recent, 5)).toEqual([10, 11, 20]);
    expect(positions(recent, 10)).toEqual([11, 20]);
    expect(positions(recent, 15)).toEqual([20]);
    expect(positions(recent, 5, 2)).toEqual([10, 11]);
    expect(recent.behind(5, 1)).toMatchObject([
      { verb: verb.id, actor: 'mbox::mailto:someone@example.org', registration: null },
    ]);
  });

  it('are not known behind a position before them, nor where there are none', async () => {
    const recent = new RecentStatements(100);
    expect(positions(recent, 0)).toBeUndefined();
    recent.note(await committed(5, 10, 1));
    expect(positions(recent, 4)).toBeUndefined();
    expect(positions(recent, 10)).toBeUndefined();
  });

  it('begin anew when another process has stored or erased something in between', async () => {
    const recent = new RecentStatements(100);
    recent.note(await committed(5, 10, 1));
    recent.note(await committed(15, 20, 1));
    expect(positions(recent, 10)).toBeUndefined();
    expect(positions(recent, 14)).toBeUndefined();
    expect(positions(recent, 15)).toEqual([20]);
  });

  it('are bounded by their number and by the bytes of their texts', async () => {
    const few = new RecentStatements(3);
    few.note(await committed(5, 10, 2));
    few.note(await committed(11, 20, 2));
    expect(positions(few, 9)).toBeUndefined();
    expect(positions(few, 10)).toEqual([11, 20, 21]);
    const small = new RecentStatements(100);
    for (let index = 0; index < 5; index += 1)
      small.note(await committed(index, index + 1, 1, 3 * 1024 * 1024));
    expect(positions(small, 2)).toBeUndefined();
    expect(positions(small, 3)).toEqual([4, 5]);
  });

  it('tell nothing but the length of a long statement', async () => {
    const recent = new RecentStatements(100);
    recent.note(await committed(5, 10, 1, 20_000));
    expect(recent.behind(5, 1)).toMatchObject([{ verb: null, actor: null, object: null }]);
    expect(recent.behind(5, 1)?.[0]?.bytes).toBeGreaterThan(20_000);
  });
});
