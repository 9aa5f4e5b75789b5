import type { HttpResponse } from './types.ts';

/** An answer whose body is already JSON text, or its bytes. */
export function jsonText(
  statusCode: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): HttpResponse {
  return { statusCode, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

export function json(statusCode: number, body: unknown): HttpResponse {
  return jsonText(statusCode, JSON.stringify(body));
}

export function noContent(headers: Record<string, string> = {}): HttpResponse {
  return { statusCode: 204, headers };
}

/** Sends the client to another address, for this time only. A relative one is right behind every proxy and gateway. */
export function redirect(location: string): HttpResponse {
  return { statusCode: 302, headers: { Location: location, 'Cache-Control': 'no-store' } };
}
