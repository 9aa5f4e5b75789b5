import { isUtf8 } from 'node:buffer';
import { InvalidError } from '../errors.ts';
import { markNumbers, printMarkedNumbers } from './json-numbers.ts';
import { type JsonSurvey, surveyJson } from './json-survey.ts';
import { depthErrorOffset, placeOf, syntaxErrorOffset } from './json-text.ts';
import type { Json } from './types.ts';

export interface ParsedJson {
  /** The tree as `JSON.parse` gives it; of a key that occurs twice in an object the last value counts. */
  readonly value: Json;
  /**
   * The same object as `value` unless the text holds numbers that would print differently (`1.0`, `1e2`, 20 digits);
   * then a second tree in which a string that no client can send stands for each of them. `printJson` prints it.
   */
  readonly source: Json;
}

/** Objects and arrays are nested at most this deep; what recurses over a parsed tree relies on it. */
export const maxDepth = 64;

/**
 * Parses the JSON (RFC 8259) of a request, which is UTF-8 (xAPI 1.0.3 Communication 1.4).
 * @throws InvalidError naming the place, for bytes that are not UTF-8 or not JSON, and for what could not be kept or used
 *   safely on every engine: U+0000, a property named `__proto__`, more than 64 levels, a number beyond a double's range.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const buffer = bufferOf(bytes);
  return parseSurveyed(buffer, surveyJson(buffer));
}

/** The same bytes. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The same for a text that has been surveyed. */
export function parseSurveyed(buffer: Buffer, { depth, unusualNumbers }: JsonSurvey): ParsedJson {
  const text = decode(buffer);
  if (depth > maxDepth) throw depthError(text);
  const value = parse(text);
  if (isSuspicious(text)) {
    refuseNul(text);
    refuseProto(value, '');
  }
  return { value, source: unusualNumbers ? parse(markNumbers(text)) : value };
}

/** Whether a text needs a closer look than whether it is JSON. */
export function isSuspicious(text: string): boolean {
  const escapes = text.includes('\\');
  return (escapes && text.includes('\\u0000')) || mayNameProto(text, escapes);
}

/** The JSON text of a tree; the marked numbers of a `source` tree are printed exactly as they came in. */
export function printJson(tree: unknown): string {
  return printMarkedNumbers(JSON.stringify(tree));
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const replaced = Buffer.from(text, 'utf8');
  const offset = bytes.findIndex((byte, index) => byte !== replaced[index]);
  throw new InvalidError(`The JSON text must be UTF-8, but its byte ${offset} is not part of any character.`);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text around the mistake, which may be a password: it goes into no log.
    const offset = syntaxErrorOffset(text);
    const found = String.fromCodePoint(text.codePointAt(offset) ?? 0);
    const problem =
      offset === text.length ? 'ends too early' : `is not valid because of ${JSON.stringify(found)}`;
    throw new InvalidError(`The JSON text ${problem} ${placeOf(text, offset)}.`);
  }
}

function depthError(text: string): InvalidError {
  const place = placeOf(text, depthErrorOffset(text, maxDepth));
  return new InvalidError(`The JSON text is nested deeper than ${maxDepth} levels ${place}.`);
}

/** JSON allows U+0000 only as an escape; behind an odd number of backslashes the same letters are plain text. */
function refuseNul(text: string): void {
  const escaped = /(?<!\\)(?:\\\\)*\\u0000/.exec(text);
  if (escaped === null) return;
  throw new InvalidError(
    `The JSON text contains the character U+0000 ${placeOf(text, escaped.index)}, which is not allowed.`,
  );
}

/** Whether the text spells `__proto__` or holds an escape for one of its letters. */
function mayNameProto(text: string, escapes: boolean): boolean {
  return text.includes('__proto__') || (escapes && /\\u00(?:5f|6f|7[024])/i.test(text));
}

function refuseProto(value: Json, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const childPath = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') {
      throw new InvalidError('A property of the JSON text is named "__proto__", which is not allowed.', {
        details: [{ path: childPath, message: 'must not be named "__proto__"' }],
      });
    }
    refuseProto(child, childPath);
  }
}
