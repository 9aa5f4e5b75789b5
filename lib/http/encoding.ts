import { isUtf8 } from 'node:buffer';
import { InvalidError } from '../errors.ts';
import type { RawRequest } from './gateways/gateway.ts';

/**
 * A slash that is percent-encoded is part of a segment and not between two (RFC 3986 2.2), so it stays encoded.
 * @throws InvalidError when the path is not percent-encoded UTF-8 (RFC 3986 2.1).
 */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  return path
    .split(/%2f/i)
    .map((part) => decode(part, 'path'))
    .join('%2F');
}

/** @throws InvalidError when the query is not percent-encoded UTF-8. */
export function decodeQuery(query: RawRequest['query']): URLSearchParams {
  if (typeof query !== 'string') return new URLSearchParams([...query]);
  if (query.includes('%')) decode(query, 'query string');
  return new URLSearchParams(query);
}

/** A pair of a form as it was sent: percent-encoded. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/** Far more than any request has parameters. */
const maxFields = 100;

/**
 * The pairs of an `application/x-www-form-urlencoded` body, taken apart and no more: decoding a large form is dear, so what to
 * decode, and when, is the caller's choice.
 * @throws InvalidError when it is not UTF-8 or has more than 100 pairs.
 */
export function formFields(body: Buffer): FormField[] {
  if (!isUtf8(body)) throw new InvalidError('The form of the request is not valid UTF-8.');
  const pairs = body.toString('utf8').split('&', maxFields + 1);
  if (pairs.length > maxFields) {
    throw new InvalidError(`The form of the request has more than ${maxFields} parameters.`);
  }
  return pairs.filter((pair) => pair !== '').map(fieldOf);
}

function fieldOf(pair: string): FormField {
  const equals = pair.indexOf('=');
  return equals < 0
    ? { name: pair, value: '' }
    : { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
}

/** The text of a name or value of a form. @throws InvalidError as above. */
export function decodeFormText(text: string): string {
  return decode(text.replaceAll('+', ' '), 'form');
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new InvalidError(`The ${part} of the request is not valid percent-encoded UTF-8.`, { cause });
  }
}
