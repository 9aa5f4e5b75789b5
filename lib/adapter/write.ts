import type { ServerResponse } from 'node:http';
import type { ResponseBuffers } from './response-buffers.ts';

/** Bytes that are handed to the connection at once. */
export const sliceBytes = 64 * 1024;

/**
 * Writes a body no faster than the client takes it: a larger one in slices, each when the one before is gone, so that it shows
 * whether the client makes progress.
 */
export async function writeBody(response: ServerResponse, body: string | Buffer): Promise<void> {
  if (body.length <= sliceBytes) {
    if (body.length > 0) response.write(body);
    else response.flushHeaders();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  for (let at = 0; at < bytes.length && !response.destroyed; at += sliceBytes) {
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
