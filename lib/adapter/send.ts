import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayResult } from '../http/gateways/index.ts';
import { compress, negotiateCoding } from './compression.ts';
import { sendStream } from './stream.ts';
import { discardRest, endsUnread } from './unread.ts';

/** Sends a result as the response to a request, compressed for clients that accept it. */
export async function send(
  message: IncomingMessage,
  response: ServerResponse,
  result: GatewayResult,
): Promise<void> {
  // Whether the client has gone away.
  if (response.destroyed) return;
  const isLast = endsUnread(message) || result.statusCode === 408;
  if (isLast) response.setHeader('Connection', 'close');
  if ('stream' in result && result.stream !== undefined) return sendStream(response, result, result.stream);
  const bytes = await writeHead(message, response, result);
  if (isLast) return sendLast(message, response, bytes);
  response.end(bytes);
  // Node.js drops an unread body only when nobody has begun to read it.
  if (!message.complete) message.resume();
}

/** @returns the body as it is sent. */
async function writeHead(
  message: IncomingMessage,
  response: ServerResponse,
  { statusCode = 200, headers, body = '', isBase64Encoded }: GatewayResult,
): Promise<string | Buffer> {
  let bytes: string | Buffer = isBase64Encoded === true ? Buffer.from(body, 'base64') : body;
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) sent[name] = String(value);
  if (statusCode !== 204 && statusCode !== 304) sent['Content-Length'] ??= String(Buffer.byteLength(bytes));
  const coding = negotiateCoding(message, statusCode, sent);
  // The length of a compressed answer is not worth the work of compressing it for HEAD, which may leave it out (RFC 9110 9.3.2).
  if (coding !== undefined && message.method !== 'HEAD') {
    bytes = await compress(coding, bytes);
    sent['Content-Length'] = String(bytes.length);
  }
  response.writeHead(statusCode, sent);
  return bytes;
}

/** Sends the answer before the rest of the request has arrived. */
async function sendLast(
  message: IncomingMessage,
  response: ServerResponse,
  bytes: string | Buffer,
): Promise<void> {
  if (bytes.length > 0) response.write(bytes);
  else response.flushHeaders();
  await discardRest(message);
  response.end();
}
