import { mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBuiltFile } from '../../../lib/http/built-file.ts';

describe('a file that a build has made', () => {
  let folder: string;
  let time = 1_000_000;
  /** Whatever the clock of the file system shows, each change has a time of its own. */
  const write = (name: string, content: string): void => {
    writeFileSync(join(folder, name), content);
    touch(name);
  };
  const touch = (name: string): void => {
    time += 1;
    utimesSync(join(folder, name), time, time);
    utimesSync(folder, time, time);
  };
  const textOf = async (name: string, accepted?: string) =>
    (await readBuiltFile(folder, name, accepted))?.content.toString();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lrs-built-'));
    write('a.js', 'one');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read once, however often and by however many it is asked for', async () => {
    const [first, second] = await Promise.all([readBuiltFile(folder, 'a.js'), readBuiltFile(folder, 'a.js')]);
    const third = await readBuiltFile(folder, 'a.js');
    expect(first?.content.toString()).toBe('one');
    expect(second?.content).toBe(first?.content);
    expect(third?.content).toBe(first?.content);
  });

  it('is read again when it has changed', async () => {
    expect(await textOf('a.js')).toBe('one');
    write('a.js', 'two');
    expect(await textOf('a.js')).toBe('two');
  });

  it('is found when it is new, and not found when it is gone', async () => {
    expect(await textOf('b.js')).toBeUndefined();
    write('b.js', 'new');
    write('b.js.br', 'compressed');
    expect(await textOf('b.js')).toBe('new');
    expect(await textOf('b.js', 'br')).toBe('compressed');
    unlinkSync(join(folder, 'b.js'));
    utimesSync(folder, time + 1, time + 1);
    expect(await textOf('b.js')).toBeUndefined();
  });

  it('is none without its folder', async () => {
    rmSync(folder, { recursive: true });
    expect(await textOf('a.js')).toBeUndefined();
  });
});
