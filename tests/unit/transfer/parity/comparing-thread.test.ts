import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ComparingThread, startComparing } from '../../../../lib/transfer/parity/comparing-thread.ts';
import { compareStatement } from '../../../../lib/transfer/parity/statement-comparison.ts';
import { common, workerEntries } from '../../../../scripts/build.mjs';
import { statement } from '../../../support/statements.ts';

const text = (parts: object): string => JSON.stringify({ ...statement(), ...parts });
const described = { attachments: [{ sha2: 'AB', usageType: 'https://example.org/a', length: 1 }] };
const pairs = [
  { source: text({ id: 'a' }), target: text({ id: 'A', stored: '2026-01-01T00:00:00Z' }) },
  { source: text({ id: 'b' }), target: text({ id: 'b', result: { success: true } }) },
  { source: text({ id: 'c', timestamp: '2026-01-01T00:00:00Z' }), target: undefined },
  { source: text({ id: 'd', ...described }), target: text({ id: 'd', ...described }) },
];

describe('the thread that compares statements', () => {
  let folder: string;
  let thread: ComparingThread;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'serverless-lrs-'));
    const name = 'comparing-worker';
    await build({ ...common, entryPoints: { [name]: workerEntries[name] }, outdir: folder });
  });

  afterAll(() => rm(folder, { recursive: true }));

  beforeEach(() => {
    thread = startComparing(pathToFileURL(join(folder, 'comparing-worker.mjs')));
  });

  afterEach(() => thread.end());

  it('finds what a comparison in this thread finds, for each part that it is given', async () => {
    const parts = [pairs, pairs.slice(1, 2), []];
    for (const trusted of [false, true]) {
      const found = await Promise.all(parts.map((part) => thread.compare(part, trusted)));
      expect(found).toEqual(parts.map((part) => part.map((pair) => compareStatement(pair, trusted))));
      expect(found[0]?.map(({ differing }) => differing)).toEqual([[], ['result'], [], []]);
    }
  });

  it('fails all that waits for it, and all that comes later, where it ends with an error', async () => {
    const broken = [{ source: 'no JSON', target: undefined }];
    const [first, second] = await Promise.allSettled([
      thread.compare(broken, true),
      thread.compare(pairs, true),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
    await expect(thread.compare(pairs, true)).rejects.toThrow(SyntaxError);
  });

  it('fails what waits for it where it is ended', async () => {
    const waiting = expect(thread.compare(pairs, true)).rejects.toThrow(/has ended/);
    await thread.end();
    await waiting;
  });
});
