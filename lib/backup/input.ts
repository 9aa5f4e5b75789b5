import { closeSync, constants, createReadStream, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { BackupError } from './error.ts';

/** How long (ms) a pipe may have no writer. */
const patience = 30_000;
/** Milliseconds between two looks for a writer. */
const pause = 50;

/**
 * Opens a file, or a pipe, whose writer is awaited for a limited time.
 * @throws BackupError when a pipe gets no writer in time; the reason of the signal.
 */
export async function openInput(
  file: string,
  { signal, limit = patience }: { readonly signal?: AbortSignal | undefined; readonly limit?: number },
): Promise<Readable> {
  if (!(await stat(file)).isFIFO()) return createReadStream(file);
  const end = performance.now() + limit;
  // Without O_NONBLOCK, opening would wait in a thread that nothing can end once the pipe is deleted.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    for (;;) {
      const begin = readOfWriter(fd);
      if (begin !== undefined) return streamOf(fd, begin);
      signal?.throwIfAborted();
      if (performance.now() > end)
        throw new BackupError(`No program writes into the pipe ${file}: start it first, or name a file.`);
      await setTimeout(pause, undefined, { signal });
    }
  } catch (error) {
    closeSync(fd);
    signal?.throwIfAborted();
    throw error;
  }
}

/** What a writer has written by now, which may be nothing; undefined: there is no writer. */
function readOfWriter(pipe: number): Buffer | undefined {
  const buffer = Buffer.alloc(1);
  try {
    return readSync(pipe, buffer) === 0 ? undefined : buffer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return Buffer.alloc(0);
    throw error;
  }
}

/** Unlike a stream of a file, a socket can be closed while it waits for more. */
function streamOf(fd: number, begin: Buffer): Readable {
  const stream = new Socket({ fd, writable: false });
  stream.unshift(begin);
  return stream;
}
