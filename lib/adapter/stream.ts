import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../errors.ts';
import type { GatewayResult } from '../http/gateways/index.ts';
import type { Piece } from '../http/types.ts';

/**
 * Sends pieces while they are made, no faster than the client takes it. A client that goes away ends the making; a failure breaks
 * the answer off, so that nobody takes it for whole.
 * @throws what the making fails with.
 */
export async function sendStream(
  response: ServerResponse,
  { statusCode = 200, headers }: Pick<GatewayResult, 'statusCode' | 'headers'>,
  pieces: AsyncIterable<Piece>,
): Promise<void> {
  const sent = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const);
  response.writeHead(statusCode, Object.fromEntries(sent));
  try {
    await pipeline(Readable.from(pieces, { objectMode: false }), response);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Tells what makes the pieces of a response that nobody will read them: something may be kept open for them. */
export async function endUnsent(result: GatewayResult): Promise<void> {
  if ('stream' in result) await result.stream?.[Symbol.asyncIterator]().return?.();
}

/** Whether the client went away before the end. */
function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
