import type { ServerResponse } from 'node:http';
import { giveWay } from '../in-turns.ts';
import type { ResponseBuffers } from './response-buffers.ts';

/** Bytes that are handed to the connection at once: more than a page of 50 ordinary statements has. */
export const sliceBytes = 128 * 1024;

/**
 * Writes a body no faster than the client takes it: a larger one in slices, each when the one before is gone, so that it shows
 * whether the client makes progress. The system takes megabytes from each connection at once, and copies them meanwhile: slices
 * are written in turns with other long work.
 */
export async function writeBody(response: ServerResponse, body: string | Buffer): Promise<void> {
  if (body.length <= sliceBytes) {
    if (body.length > 0) response.write(body);
    else response.flushHeaders();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    await giveWay();
    if (response.destroyed) return;
    const takesMore = response.write(bytes.subarray(at, at + sliceBytes));
    if (!takesMore) await drained(response);
  }
}

/** Ends a response whose body is short enough to be handed over at once; counts it if the client does not take it at once. */
export function endShort(response: ServerResponse, body: string | Buffer, buffers: ResponseBuffers): void {
  response.end(body);
  if ((response.socket?.writableLength ?? 0) > 0) buffers.track(response, body.length);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.once('drain', finish).once('close', finish);
  });
}
