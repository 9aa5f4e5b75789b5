import { close, constants, createReadStream, open as openFile } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { BackupError } from './error.ts';

/** How long (ms) a pipe may have no writer. */
const patience = 30_000;
/** Milliseconds between two looks whether the wait is to end. */
const pause = 100;

/**
 * Opens a file, or a pipe: opening that waits for its writer, and would do so for ever.
 * @throws BackupError when a pipe gets no writer in time; the reason of the signal.
 */
export async function openInput(
  file: string,
  { signal, limit = patience }: { readonly signal?: AbortSignal | undefined; readonly limit?: number },
): Promise<Readable> {
  if (!(await stat(file)).isFIFO()) return createReadStream(file);
  const begin = performance.now();
  const isLate = (): boolean => performance.now() - begin > limit;
  // Again and again: what comes before the wait does not end it.
  const watch = setInterval(() => {
    if (isLate() || signal?.aborted) void writeNothing(file);
  }, pause);
  try {
    const pipe = await promisify(openFile)(file, 'r');
    // Unlike a stream of a file, a socket can be closed while it waits for more.
    if (!isLate() && !signal?.aborted) return new Socket({ fd: pipe, writable: false });
    await promisify(close)(pipe);
    signal?.throwIfAborted();
    throw new BackupError(`No program writes into the pipe ${file}: start it first, or name a file.`);
  } finally {
    clearInterval(watch);
  }
}

/** A writer that does not wait for a reader itself. */
async function writeNothing(pipe: string): Promise<void> {
  const writer = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  await writer.close();
}
