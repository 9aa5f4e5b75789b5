import { isUtf8 } from 'node:buffer';
import { InvalidError } from '../errors.ts';
import { markNumbers, printMarkedNumbers } from './numbers.ts';
import { placeOf } from './place.ts';
import { JsonScanner, maxDepth, maxNameBytes } from './scanner.ts';
import { syntaxErrorOffset } from './syntax.ts';
import type { Json } from './types.ts';

export interface ParsedJson {
  /**
   * The tree as `JSON.parse` returns it: for a repeated key the last value counts, and `__proto__` is an ordinary property.
   */
  readonly value: Json;
  /**
   * The same object as `value` unless the text contains numbers that would print differently (`1.0`, `1e2`, 20 digits);
   * then a second tree in which strings that no client can send stand for them. `printJson` prints it.
   */
  readonly source: Json;
}

/**
 * Parses the JSON (RFC 8259) of a request, which is UTF-8 (xAPI 1.0.3 Communication 1.4).
 * @throws InvalidError with the position, for bytes that are not UTF-8 or not JSON, and for what not every engine can
 *   store: U+0000, more than 64 levels, a number beyond a double's range; and for property names that are too long.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  return parsePiece(scanJson(bytes));
}

/** The same for a text that this program has stored: property names had no limit in earlier releases. */
export function parseStoredJson(bytes: Uint8Array): ParsedJson {
  return parsePiece(scan(bytes, refuseUndecodable));
}

/**
 * Checks what can be checked before a JSON text is parsed.
 * @throws InvalidError for bytes that are not UTF-8, for more than 64 levels, and for property names that are too long.
 */
export function scanJson(bytes: Uint8Array): JsonPiece {
  return scan(bytes, refuseUnreadable);
}

function scan(bytes: Uint8Array, refuse: (buffer: Buffer, scanner: JsonScanner) => void): JsonPiece {
  const buffer = bufferOf(bytes);
  const scanner = new JsonScanner(buffer);
  scanner.scan();
  refuse(buffer, scanner);
  const unusualNumbers = scanner.items[0]?.unusualNumbers ?? false;
  return { buffer, start: 0, end: buffer.length, unusualNumbers };
}

/**
 * Checks a text that has passed `scanJson` and was parsed elsewhere.
 * @throws InvalidError for U+0000, and for a number beyond a double's range.
 */
export function refuseUnstorable(text: string, piece: JsonPiece): void {
  if (mayHoldNul(text)) refuseNul(text, piece);
  if (piece.unusualNumbers) sourceOf(text, piece);
}

/** The same bytes. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @throws InvalidError for a scanned text that is not UTF-8, is nested too deep or has a property name that is too long. */
export function refuseUnreadable(buffer: Buffer, scanner: JsonScanner): void {
  refuseUndecodable(buffer, scanner);
  if (scanner.longNameAt !== undefined) throw longNameError(buffer, scanner.longNameAt);
}

/** The error for a property name that begins at the byte. */
export function longNameError(buffer: Buffer, offset: number): InvalidError {
  return new InvalidError(
    `The JSON text has a property name of more than ${maxNameBytes} bytes ${placeOf(buffer, offset)}.`,
  );
}

function refuseUndecodable(buffer: Buffer, { tooDeepAt }: JsonScanner): void {
  requireUtf8(buffer);
  if (tooDeepAt === undefined) return;
  throw new InvalidError(
    `The JSON text is nested deeper than ${maxDepth} levels ${placeOf(buffer, tooDeepAt)}.`,
  );
}

/** @throws InvalidError naming the first byte that is not part of a character. */
export function requireUtf8(buffer: Buffer): void {
  if (!isUtf8(buffer)) throw encodingError(buffer);
}

/** One value in a JSON text that is UTF-8 and not nested too deep. */
export interface JsonPiece {
  /** The whole text. */
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly unusualNumbers: boolean;
}

/**
 * Parses one value.
 * @throws InvalidError as `parseJson` does, with the position in the whole text.
 */
export function parsePiece(piece: JsonPiece): ParsedJson {
  const text = piece.buffer.toString('utf8', piece.start, piece.end);
  const value = parse(text, piece);
  if (mayHoldNul(text)) refuseNul(text, piece);
  return { value, source: piece.unusualNumbers ? sourceOf(text, piece) : value };
}

/** The tree of a valid text with marked numbers. */
export function sourceOf(text: string, piece: JsonPiece): Json {
  const refuse = (offset: number): never => {
    throw new InvalidError(
      `The number ${placeIn(piece, text, offset)} of the JSON text is too large to be kept.`,
    );
  };
  return JSON.parse(markNumbers(text, refuse));
}

/** Whether a text needs further checks after parsing. */
export function mayHoldNul(text: string): boolean {
  return text.includes('\\u0000');
}

/** The JSON text of a tree; the marked numbers of a `source` tree are printed as they were received. */
export function printJson(tree: unknown): string {
  return printMarkedNumbers(JSON.stringify(tree));
}

/** The bytes that are decoded together. */
const blockLength = 65_536;

/** Only the block with the first wrong byte is copied. */
function encodingError(bytes: Buffer): InvalidError {
  let start = 0;
  let end = endOfBlock(bytes, start);
  while (end < bytes.length && isUtf8(bytes.subarray(start, end))) {
    start = end;
    end = endOfBlock(bytes, start);
  }
  const block = bytes.subarray(start, end);
  const replaced = Buffer.from(block.toString('utf8'), 'utf8');
  const offset = start + block.findIndex((byte, index) => byte !== replaced[index]);
  return new InvalidError(
    `The JSON text must be UTF-8, but its byte ${offset} is not part of any character.`,
  );
}

/** The end of a block that splits no character. */
function endOfBlock(bytes: Buffer, start: number): number {
  let end = start + blockLength;
  while (end < bytes.length && end > start + blockLength - 4 && isContinuation(bytes[end])) end -= 1;
  return Math.min(end, bytes.length);
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

function parse(text: string, piece: JsonPiece): Json {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text around the mistake, which may be a password, so it is not logged.
    throw syntaxError(piece.buffer, offsetIn(piece, text, syntaxErrorOffset(text)));
  }
}

/** The error for a text that stops being JSON at the byte. */
export function syntaxError(buffer: Buffer, offset: number): InvalidError {
  const found = String.fromCodePoint(buffer.toString('utf8', offset, offset + 4).codePointAt(0) ?? 0);
  const problem =
    offset === buffer.length ? 'ends too early' : `is not valid because of ${JSON.stringify(found)}`;
  return new InvalidError(`The JSON text ${problem} ${placeOf(buffer, offset)}.`);
}

/** The offset in the whole text, in bytes, of a character of the piece. */
function offsetIn({ start }: JsonPiece, text: string, offset: number): number {
  return start + Buffer.byteLength(text.slice(0, offset));
}

function placeIn(piece: JsonPiece, text: string, offset: number): string {
  return placeOf(piece.buffer, offsetIn(piece, text, offset));
}

/** In JSON, U+0000 occurs only as an escape; after an odd number of backslashes the same letters are plain text. */
function refuseNul(text: string, piece: JsonPiece): void {
  const escaped = /(?<!\\)(?:\\\\)*\\u0000/.exec(text);
  if (escaped === null) return;
  throw new InvalidError(
    `The JSON text contains the character U+0000 ${placeIn(piece, text, escaped.index)}, which is not allowed.`,
  );
}
