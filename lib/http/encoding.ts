import { isUtf8 } from 'node:buffer';
import { InvalidError } from '../errors.ts';
import type { RawRequest } from './gateways/gateway.ts';

/** @throws InvalidError when the path is not percent-encoded UTF-8 (RFC 3986 2.1). */
export function decodePath(path: string): string {
  return path.includes('%') ? decode(path, 'path') : path;
}

/** @throws InvalidError when the query is not percent-encoded UTF-8. */
export function decodeQuery(query: RawRequest['query']): URLSearchParams {
  if (typeof query !== 'string') return new URLSearchParams([...query]);
  if (query.includes('%')) decode(query, 'query string');
  return new URLSearchParams(query);
}

/** The pairs of an `application/x-www-form-urlencoded` body. @throws InvalidError as above. */
export function decodeForm(body: Buffer): URLSearchParams {
  if (!isUtf8(body)) throw new InvalidError('The form of the request is not valid UTF-8.');
  const text = body.toString('utf8');
  decode(text, 'form');
  return new URLSearchParams(text);
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new InvalidError(`The ${part} of the request is not valid percent-encoded UTF-8.`, { cause });
  }
}
