import type { Writable } from 'node:stream';

/** Prints lines to a stream. The promise rejects where a line is not written, which `console.log` would not say. */
export function printTo(stream: Writable): (line: string) => Promise<void> {
  // The callback has each error.
  stream.on('error', () => {});
  return (line) =>
    new Promise((resolve, reject) => {
      stream.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
    });
}
