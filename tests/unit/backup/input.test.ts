import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackupError } from '../../../lib/backup/error.ts';
import { openInput } from '../../../lib/backup/input.ts';

describe('what a restore reads', () => {
  let folder: string;
  let pipe: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'input-'));
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('may be a file or a pipe', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'of a file');
    expect(await text(await openInput(file, {}))).toBe('of a file');
    const reading = openInput(pipe, {}).then(text);
    const writer = await open(pipe, 'w');
    await writer.writeFile('of a pipe');
    await writer.close();
    expect(await reading).toBe('of a pipe');
  });

  it('is not awaited for ever where nothing writes into the pipe', async () => {
    await expect(openInput(pipe, { limit: 1 })).rejects.toThrow(
      new BackupError(`No program writes into the pipe ${pipe}: start it first, or name a file.`),
    );
  });

  it('is not awaited any longer after an interruption also where the pipe was deleted', async () => {
    const interruption = new AbortController();
    const opening = openInput(pipe, { signal: interruption.signal });
    const ended = expect(opening).rejects.toThrow('Interrupted');
    // Only a pipe that has a reader can be opened like this.
    await expect
      .poll(() => closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)))
      .toBeUndefined();
    rmSync(pipe);
    interruption.abort(new Error('Interrupted'));
    await ended;
  });

  it('is a pipe with all that its writer had written before it was opened', async () => {
    const reader = await open(pipe, constants.O_RDWR);
    await reader.writeFile('written before, ');
    const input = await openInput(pipe, {});
    await reader.writeFile('and afterwards');
    await reader.close();
    expect(await text(input)).toBe('written before, and afterwards');
  });

  it('is closed at once, also while the writer of a pipe writes nothing', async () => {
    const opening = openInput(pipe, {});
    const writer = await open(pipe, 'w');
    try {
      const input = await opening;
      const closed = once(input, 'close');
      input.resume();
      await setImmediate();
      input.destroy();
      await closed;
    } finally {
      await writer.close();
    }
  });

  it('is not awaited any longer after an interruption', async () => {
    const interruption = new AbortController();
    const opening = openInput(pipe, { signal: interruption.signal });
    void setImmediate().then(() => interruption.abort(new Error('Interrupted')));
    await expect(opening).rejects.toThrow('Interrupted');
  });
});
