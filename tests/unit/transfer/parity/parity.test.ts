import { describe, expect, it } from 'vitest';
import { compareAll, type ParityOptions } from '../../../../lib/transfer/parity/parity.ts';
import { isClean } from '../../../../lib/transfer/parity/report.ts';
import type { Entry, Source } from '../../../../lib/transfer/records.ts';
import { statement } from '../../../support/statements.ts';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A source of so many statements with names of so many characters, and its texts by id. */
function sourceOf(count: number, characters = 1) {
  const texts = new Map(
    Array.from({ length: count }, (_, index) => {
      const actor = { mbox: 'mailto:learner@example.org', name: 'x'.repeat(characters) };
      return [uuid(index), JSON.stringify(statement({ id: uuid(index), actor }))] as const;
    }),
  );
  async function* entries(): AsyncGenerator<Entry> {
    for (const [id, text] of texts) {
      const record = { kind: 'statement', json: Buffer.from(text), parts: [] } as const;
      yield { record, place: id, cursor: id };
    }
  }
  const source: Source = { name: 'a source', identity: '', entries, close: () => Promise.resolve() };
  return { source, texts };
}

type Find = ParityOptions['target']['findStatements'];

/** Compares the source with what is found of it. */
function compare(source: Source, find: Find, onProgress?: (statements: number) => void) {
  const target = {
    trusted: false,
    findStatements: find,
    findContents: () => Promise.resolve(new Map()),
  } as Partial<ParityOptions['target']> as ParityOptions['target'];
  const journal = { async *refused() {} } as Partial<ParityOptions['journal']> as ParityOptions['journal'];
  return compareAll({
    source,
    target,
    journal,
    imported: { counts: {}, sum: '0' },
    ...(onProgress && { onProgress }),
  });
}

/** What is found where everything is there. */
const allOf = (texts: ReadonlyMap<string, string>, ids: readonly string[]) =>
  Promise.resolve(new Map(ids.map((id) => [id, { text: texts.get(id) ?? '', voided: false }])));

describe('the comparison after an import', () => {
  it('asks for two parts of the statements while the one before them is compared', async () => {
    const { source, texts } = sourceOf(1800);
    let compared = 0;
    const asked: object[] = [];
    const find: Find = (ids) => {
      asked.push({ ids: ids.length, compared });
      return allOf(texts, ids);
    };
    const report = await compare(source, find, (statements) => {
      compared = statements;
    });
    expect(asked).toEqual([
      { ids: 500, compared: 0 },
      { ids: 500, compared: 0 },
      { ids: 500, compared: 0 },
      { ids: 300, compared: 500 },
    ]);
    expect([report.statements, report.differences]).toEqual([{ source: 1800, target: 1800 }, []]);
    expect(report.hash.source).toBe(report.hash.target);
  });

  it('asks for few large statements at once', async () => {
    const { source, texts } = sourceOf(5, 3 * 1024 * 1024);
    const asked: number[] = [];
    await compare(source, (ids) => {
      asked.push(ids.length);
      return allOf(texts, ids);
    });
    expect(asked).toEqual([2, 2, 1]);
  });

  it('fails with the reason why the target does not answer', async () => {
    const { source, texts } = sourceOf(1200);
    let calls = 0;
    const find: Find = (ids) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('The database has gone.')) : allOf(texts, ids);
    };
    await expect(compare(source, find)).rejects.toThrow('The database has gone.');
  });

  it('finds the statements that are missing or differ, in their order', async () => {
    const { source, texts } = sourceOf(1200);
    const changed = new Map(texts);
    for (const number of [3, 700])
      changed.set(uuid(number), JSON.stringify(statement({ id: uuid(number), result: { success: true } })));
    const report = await compare(source, async (ids) => {
      const found = new Map(await allOf(changed, ids));
      found.delete(uuid(600));
      return found;
    });
    expect(isClean(report)).toBe(false);
    expect(report.differences.map(({ id, problem }) => [id, problem])).toEqual([
      [uuid(3), 'differs: actor, result'],
      [uuid(600), 'missing'],
      [uuid(700), 'differs: actor, result'],
    ]);
    expect(report.statements).toEqual({ source: 1200, target: 1199 });
    expect(report.hash.source).not.toBe(report.hash.target);
  });
});
