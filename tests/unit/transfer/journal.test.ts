import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../../lib/transfer/journal.ts';

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
