import type { IncomingMessage } from 'node:http';
import type { Coding } from '../http/accept-encoding.ts';
import { jsonError } from '../http/error-response.ts';
import type { GatewayResult } from '../http/gateways/index.ts';
import { compress, negotiateCoding } from './compression.ts';
import type { Exchange } from './pipelining.ts';
import { type ResponseBuffers, responsesExhausted } from './response-buffers.ts';
import { endUnsent, sendStream } from './stream.ts';
import { discardRest, endsUnread } from './unread.ts';
import { endShort, sliceBytes, writeBody } from './write.ts';

/** Sends a result as the response to a request, compressed for clients that accept it. */
export async function send(
  { message, response }: Exchange,
  result: GatewayResult,
  buffers: ResponseBuffers,
): Promise<void> {
  // Whether the client has disconnected.
  if (response.destroyed) return endUnsent(result);
  const isLast = endsUnread(message) || result.statusCode === 408;
  if (isLast) response.setHeader('Connection', 'close');
  if ('stream' in result && result.stream !== undefined) {
    if (!buffers.has(response)) buffers.track(response, sliceBytes);
    return sendStream(response, result, result.stream);
  }
  let fitting = result;
  let body = bodyOf(result);
  if (body.length > sliceBytes && !holds({ message, response }, body, buffers)) {
    fitting = refusal(result);
    body = bodyOf(fitting);
  }
  const { headers, coding } = headOf(message, fitting, body);
  const sent = coding === undefined ? body : await compress(coding, body);
  if (coding !== undefined) headers['Content-Length'] = String(sent.length);
  response.writeHead(fitting.statusCode ?? 200, headers);
  if (sent.length <= sliceBytes && !isLast) {
    endShort(response, sent, buffers);
  } else {
    await writeBody(response, sent);
    if (isLast) await discardRest(message);
    response.end();
  }
  // Node.js discards an unread body only if nothing has begun to read it.
  if (!isLast && !message.complete) message.resume();
}

function bodyOf(result: GatewayResult): string | Buffer {
  if ('bytes' in result && result.bytes !== undefined) return result.bytes;
  const { body = '', isBase64Encoded } = result;
  return isBase64Encoded === true ? Buffer.from(body, 'base64') : body;
}

/** Whether there is memory for a large response. The result of a change is always sent. */
function holds({ message, response }: Exchange, body: string | Buffer, buffers: ResponseBuffers): boolean {
  const bytes = Buffer.byteLength(body);
  if (buffers.admit(response, bytes)) return true;
  if (message.method === 'GET') return false;
  buffers.track(response, bytes);
  return true;
}

/** The response that is sent when there is no memory. */
function refusal({ headers }: GatewayResult): GatewayResult {
  const { statusCode, headers: own, body } = jsonError('unavailable', responsesExhausted().message);
  const kept = Object.entries(headers ?? {}).filter(([name]) =>
    /^(?:access-control-|vary$|x-exp|x-request-id$)/i.test(name),
  );
  return {
    statusCode,
    headers: { ...Object.fromEntries(kept), ...own, 'Retry-After': '1' },
    body: String(body),
  };
}

interface Head {
  readonly headers: Record<string, string>;
  /** How the body is to be compressed, which then has another length. */
  readonly coding: Coding | undefined;
}

function headOf(message: IncomingMessage, result: GatewayResult, body: string | Buffer): Head {
  const { statusCode = 200 } = result;
  const headers: Record<string, string> = {};
  for (const name in result.headers) headers[name] = String(result.headers[name]);
  if (statusCode !== 204 && statusCode !== 304) headers['Content-Length'] ??= String(Buffer.byteLength(body));
  const coding = negotiateCoding(message, statusCode, headers);
  // HEAD may omit the length (RFC 9110 9.3.2), so that the body need not be compressed.
  return { headers, coding: message.method === 'HEAD' ? undefined : coding };
}
