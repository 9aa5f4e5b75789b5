import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, '../../../scripts/lost-output.ts')).href;
const program = `
  import { once } from 'node:events';
  import { outliveLostOutput } from '${module}';
  outliveLostOutput();
  await once(process.stdin.resume(), 'end');
  for (const line of ['one', 'two', 'three']) {
    console.log(line);
    await new Promise(setImmediate);
  }
  console.error('done');
`;
const started = (stdout: number | 'pipe') =>
  spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx/esm'), '--input-type=module', '--eval', program],
    { stdio: ['pipe', stdout, 'pipe'] },
  );

const endOf = (child: ChildProcess) =>
  Promise.all([child.stderr === null ? '' : text(child.stderr), once(child, 'exit')]);

describe('a command whose output is lost', () => {
  it.skipIf(!existsSync('/dev/full'))('goes on where the disk of it is full, and says so once', async () => {
    const full = openSync('/dev/full', 'w');
    const child = started(full);
    closeSync(full);
    child.stdin?.end();
    const [said, [code]] = await endOf(child);
    expect({ said, code }).toEqual({
      said: 'What the command prints is lost from here on: ENOSPC: no space left on device, write\ndone\n',
      code: 1,
    });
  });

  it('goes on where the pipe of it has no reader any more', async () => {
    const child = started('pipe');
    child.stdout?.destroy();
    child.stdin?.end();
    const [said, [code]] = await endOf(child);
    expect(said).toMatch(/^What the command prints is lost from here on: write E\w+\ndone\n$/);
    expect(code).toBe(1);
  });
});
