import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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

  it('is for one process at a time, and free again after one that was killed', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const journal = new Journal(folder);
    await journal.locked(async () => {
      writeFileSync(join(folder, 'process'), String(other.pid));
    });
    await journal.write('report.json', {});
    writeFileSync(join(folder, 'process'), `${other.pid}\n`);
    const ended = once(other, 'exit');
    await expect(journal.locked(async () => 1)).rejects.toThrow(
      `Another import works in the folder ${folder}: process ${other.pid}.`,
    );
    other.kill('SIGKILL');
    await ended;
    expect(await journal.locked(async () => 1)).toBe(1);
    expect(existsSync(join(folder, 'process'))).toBe(false);
  });

  it('lets in one of several processes that start at the same moment after one that was killed', async () => {
    const killed = spawn(process.execPath, ['-e', '']);
    await once(killed, 'exit');
    const program = join(import.meta.dirname, '../../support/import-process.ts');
    const others = Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx/esm'), program, folder], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
    });
    const said = () => Promise.all(others.map(async ({ lines }) => (await lines.next()).value));
    try {
      expect(new Set(await said())).toEqual(new Set(['ready']));
      mkdirSync(folder, { recursive: true });
      for (let round = 0; round < 50; round += 1) {
        writeFileSync(join(folder, 'process'), `${killed.pid}\n`);
        for (const { child } of others) child.stdin.write('begin\n');
        const answers = await said();
        expect(answers.filter((answer) => answer === 'in')).toHaveLength(1);
        others[answers.indexOf('in')]?.child.stdin.write('end\n');
        await expect.poll(() => existsSync(join(folder, 'process')), { timeout: conditionLimit }).toBe(false);
      }
    } finally {
      for (const { child } of others) child.kill();
    }
  });

  it('is not for one more while a process is writing its lock, but is when that was killed meanwhile', async () => {
    const journal = new Journal(folder);
    mkdirSync(folder, { recursive: true });
    const lock = join(folder, 'process');
    writeFileSync(lock, '');
    await expect(journal.locked(async () => 1)).rejects.toThrow(
      `Another import works in the folder ${folder}: process unknown.`,
    );
    const before = Date.now() / 1000 - 3600;
    utimesSync(lock, before, before);
    expect(await journal.locked(async () => 1)).toBe(1);
    expect(existsSync(lock)).toBe(false);
  });

  it('is for one process of several containers, which may have the same number', async () => {
    const there = new Journal(folder, { place: 'one pid', renewal: 5 });
    const here = new Journal(folder, { place: 'two pid' });
    await there.locked(() =>
      expect(here.locked(async () => 1)).rejects.toThrow(
        `Another import works in the folder ${folder}: process ${process.pid} on one.`,
      ),
    );
    expect(await here.locked(async () => 1)).toBe(1);
  });

  it('is free again after a container that has ended', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'process'), `${process.pid} one pid\n`);
    const here = new Journal(folder, { place: 'two pid', patience: 1 });
    expect(await here.locked(async () => 1)).toBe(1);
  });

  it('is free again after a process that was killed while it replaced the lock of another one', async () => {
    const killed = spawn(process.execPath, ['-e', '']);
    await once(killed, 'exit');
    mkdirSync(folder, { recursive: true });
    const names = ['process', 'process.new'].map((name) => join(folder, name));
    for (const name of names) writeFileSync(name, `${killed.pid}\n`);
    expect(await new Journal(folder).locked(async () => 1)).toBe(1);
    for (const name of names) writeFileSync(name, `${killed.pid}\n`);
    const living = names.at(-1) ?? '';
    writeFileSync(living, `${process.ppid}\n`);
    await expect(new Journal(folder).locked(async () => 1)).rejects.toThrow(
      `Another import begins in the folder ${folder}. Try again in a moment; if no import works there, delete ${living}.`,
    );
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
    expect(existsSync(join(folder, 'process'))).toBe(false);
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
