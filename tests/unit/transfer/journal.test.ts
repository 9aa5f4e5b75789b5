import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError, UnavailableError } from '../../../lib/errors.ts';
import { Journal } from '../../../lib/transfer/journal.ts';
import { conditionLimit } from '../../support/time-limits.ts';

describe('the folder of an import', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'journal-')), 'import');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));
  const lock = () => join(folder, 'import.lock');

  it('is for one process at a time, and free again after one that was killed', async () => {
    const other = importProcess(folder);
    try {
      expect(await other.says()).toBe('ready');
      other.tell('begin');
      expect(await other.says()).toBe('in');
      const journal = new Journal(folder);
      await expect(journal.locked(async () => 1)).rejects.toThrow(
        new ConflictError(
          `Another import works in the folder ${folder}. Wait for its end, or give another folder with --folder.`,
        ),
      );
      await other.kill();
      expect(existsSync(lock())).toBe(true);
      expect(await journal.locked(async () => 1)).toBe(1);
      expect(existsSync(lock())).toBe(false);
    } finally {
      await other.kill();
    }
  });

  it('lets in one of several processes that start at the same moment, after one that was killed or has ended', async () => {
    const others = Array.from({ length: 6 }, () => importProcess(folder));
    const said = () => Promise.all(others.map(({ says }) => says()));
    try {
      expect(new Set(await said())).toEqual(new Set(['ready']));
      for (let round = 0; round < 50; round += 1) {
        rmSync(folder, { recursive: true, force: true });
        if (round % 2 === 0) {
          mkdirSync(folder);
          writeFileSync(lock(), '');
        }
        for (const { tell } of others) tell('begin');
        const answers = await said();
        expect(answers.filter((answer) => answer === 'in')).toHaveLength(1);
        others[answers.indexOf('in')]?.tell('end');
        await expect.poll(() => existsSync(lock()), { timeout: conditionLimit }).toBe(false);
      }
    } finally {
      for (const { kill } of others) await kill();
    }
  });

  it('is for one process at a time where several begin and end all the time', async () => {
    const others = Array.from({ length: 4 }, () => importProcess(folder));
    try {
      for (const { says } of others) expect(await says()).toBe('ready');
      for (const { tell } of others) tell('again');
      expect(await Promise.all(others.map(({ says }) => says()))).toEqual(['done', 'done', 'done', 'done']);
    } finally {
      for (const { kill } of others) await kill();
    }
  });

  it('names its lock where that cannot be locked', async () => {
    const file = lock();
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      file,
      'The lock of another program, which is longer than the head of a database is. '.repeat(8),
    );
    await expect(new Journal(folder).locked(async () => 1)).rejects.toThrow(
      new UnavailableError(`The file ${file} can't be locked: SQLITE_NOTADB.`),
    );
    expect(existsSync(file)).toBe(true);
  });

  it('may be removed by another import at the moment when one begins', async () => {
    const journals = Array.from({ length: 8 }, () => new Journal(folder));
    const outcomes = await Promise.allSettled(
      journals.map(async (journal) => {
        for (let round = 0; round < 100; round += 1) {
          await journal
            .locked(async () => {})
            .catch((error: unknown) => {
              if (!(error instanceof ConflictError)) throw error;
            });
        }
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('is named where its disk is full', async () => {
    const journal = new Journal(folder);
    mkdirSync(folder, { recursive: true });
    symlinkSync('/dev/full', join(folder, 'refused.ndjson'));
    const line = { kind: 'statement', place: 'item 1', refused: 'no verb' } as const;
    await expect(journal.locked(() => journal.addRefused([line]))).rejects.toThrow(
      new UnavailableError(
        `The folder of the import, ${folder}, is on a disk that is full, or permits no more: make room there, and run the same command again to continue.`,
      ),
    );
    expect(existsSync(lock())).toBe(false);
  });

  it('gives what was refused line by line, whatever the lines contain', async () => {
    const journal = new Journal(folder);
    const all = async () => {
      const places: string[] = [];
      for await (const { place } of journal.refused()) places.push(place);
      return places;
    };
    expect(await all()).toEqual([]);
    const places = ['line 1', 'a\nb', 'a\u2028b', 'ä'];
    await journal.addRefused(
      places.map((place) => ({ kind: 'statement', place, refused: 'It has no verb.' })),
    );
    expect(await all()).toEqual(places);
  });

  it.each(['{"sou', '5', 'null', '{"source":"file"}', '{"source":"file","counts":null,"sum":"0"}'])(
    'with damaged progress names the file and what to do: %s',
    async (text) => {
      const journal = new Journal(folder);
      await journal.write('report.json', {});
      writeFileSync(join(folder, 'progress.json'), text);
      await expect(journal.load()).rejects.toThrow(
        `${join(folder, 'progress.json')} is not the progress of an import: it was damaged or changed. Delete the folder ${folder}`,
      );
    },
  );

  it('is not there after work that has left nothing in it', async () => {
    await expect(new Journal(folder).locked(() => Promise.reject(new Error('no source')))).rejects.toThrow();
    expect(existsSync(folder)).toBe(false);
  });
});

/** A process of `import-process.ts`. */
function importProcess(folder: string) {
  const program = join(import.meta.dirname, '../../support/import-process.ts');
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx/esm'), program, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    says: async () => (await lines.next()).value,
    tell: (line: string) => child.stdin.write(`${line}\n`),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
