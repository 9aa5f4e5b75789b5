import { isUtf8 } from 'node:buffer';
import { InvalidError } from '../errors.ts';
import { giveWay } from '../in-turns.ts';
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

/** Bytes that are decoded before the event loop runs other work: less than a millisecond. */
const sliceBytes = 64 * 1024;

const [percent, plus, space] = [0x25, 0x2b, 0x20];
/** The value of a hexadecimal digit by its ASCII code; 16 for all other codes. */
const digitValues = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 16 : value;
});

/**
 * The bytes of a value of a form, which may be as large as a request: decoded in slices, so that other requests do not wait for
 * it. @throws InvalidError as above.
 */
export async function decodeFormContent(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    if (at > 0) await giveWay();
    const slice = decodeSlice(bytes, { at, end: Math.min(at + sliceBytes, bytes.length), length });
    at = slice.at;
    length = slice.length;
  }
  const content = bytes.subarray(0, length);
  if (!isUtf8(content)) throw notDecodable('form');
  return content;
}

interface Slice {
  /** Where the next byte is read. */
  readonly at: number;
  /** Where the next decoded byte is written: never behind `at`. */
  readonly length: number;
}

function decodeSlice(bytes: Buffer, slice: Slice & { readonly end: number }): Slice {
  let { at, length } = slice;
  while (at < slice.end) {
    const byte = bytes[at] ?? 0;
    if (byte === percent) {
      const high = digitValues[bytes[at + 1] ?? 0] ?? 16;
      const low = digitValues[bytes[at + 2] ?? 0] ?? 16;
      if (high === 16 || low === 16) throw notDecodable('form');
      bytes[length] = high * 16 + low;
      at += 3;
    } else {
      bytes[length] = byte === plus ? space : byte;
      at += 1;
    }
    length += 1;
  }
  return { at, length };
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw notDecodable(part, cause);
  }
}

function notDecodable(part: string, cause?: unknown): InvalidError {
  return new InvalidError(`The ${part} of the request is not valid percent-encoded UTF-8.`, { cause });
}
