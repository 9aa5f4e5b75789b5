import { longestHashed } from '../text-map.ts';
import {
  backslash,
  carriageReturn,
  closeBrace,
  closeBracket,
  colon,
  comma,
  hasExponent,
  isBlank,
  isDigit,
  isExponent,
  minus,
  newLine,
  openBrace,
  openBracket,
  plus,
  point,
  quote,
  space,
  tab,
  zero,
} from './bytes.ts';
import { type StatementLimits, unlimited } from './limits.ts';
import { MemberNotes } from './member-notes.ts';
import type { ObjectSpan } from './object-text.ts';

/** The deepest nesting of objects and arrays; recursion over a parsed tree relies on it. */
export const maxDepth = 64;
/**
 * The most bytes of a property name as it is written, which has no more UTF-16 units. V8 has all property names of a process in one
 * table, so a body with hundreds of longer ones would block the event loop, while it is parsed and afterwards.
 */
export const maxNameBytes = longestHashed;

/** One item of an array, or the only value of the text: its position and what the scan has found. */
export interface ScannedItem {
  readonly start: number;
  readonly end: number;
  /** The number of its lists, objects and commas: about the number of its values. */
  readonly values: number;
  /** Whether a number in it would print differently. */
  readonly unusualNumbers: boolean;
  /** Its structure, if it is an object with some members. */
  readonly span: ObjectSpan | undefined;
}

/** The exceeded limit, with the item and the byte. */
export interface Excess {
  readonly setting: keyof StatementLimits;
  readonly item: number;
  readonly offset: number;
}

/**
 * Scans a JSON text byte by byte without building a tree, so that a text that is too deep or too large is refused early,
 * and slow code runs only for the few texts that need it. Its results are exact for valid JSON. The scan can be
 * interrupted, because a long text takes long.
 */
export class JsonScanner {
  /** Whether the text is an array of items; otherwise it is the single item. */
  readonly isArray: boolean;
  readonly items: ScannedItem[] = [];
  /** The offset of the bracket that opens a level too many; the scan ends there. */
  tooDeepAt: number | undefined;
  /** The offset of the first property name that is too long. */
  longNameAt: number | undefined;
  /** The first exceeded limit; the scan ends there. */
  excess: Excess | undefined;
  /** The offset of the bracket that closes the array; undefined while there is none. */
  closedAt: number | undefined;
  readonly #bytes: Buffer;
  readonly #limits: StatementLimits;
  readonly #members: MemberNotes;
  /** By level, the number of commas of the open object or array. */
  readonly #commas = new Float64Array(maxDepth + 2);
  #at = 0;
  #level = 0;
  /** Of the item so far. */
  #values = 0;
  #itemStart = 0;

  /** @param limits of a text with statements; without limits the whole text is one item. */
  constructor(bytes: Buffer, limits?: StatementLimits) {
    this.#bytes = bytes;
    this.#limits = limits ?? unlimited;
    this.isArray = limits !== undefined && bytes[endOfBlanks(bytes, 0)] === openBracket;
    this.#members = new MemberNotes(bytes, this.isArray ? 2 : 1);
  }

  /**
   * Continues the scan.
   * @param length bytes; a string that begins within them is scanned to its end.
   * @returns whether the scan is complete.
   */
  scan(length = Number.POSITIVE_INFINITY): boolean {
    const bytes = this.#bytes;
    const members = this.#members;
    const until = Math.min(bytes.length, this.#at + length);
    let at = this.#at;
    for (; at < until; at += 1) {
      switch (bytes[at]) {
        case quote:
          members.begin(this.#level, at);
          at = this.#endOfString(at);
          break;
        case colon:
          members.names += 1;
          break;
        case comma:
          members.end(this.#level, at);
          if (!this.#countComma(at)) return true;
          break;
        case openBrace:
        case openBracket:
          if (!this.#open(at)) return true;
          break;
        case closeBrace:
        case closeBracket:
          if (!this.#close(at)) return true;
          break;
        case space:
        case tab:
        case newLine:
        case carriageReturn:
          members.compact = false;
          break;
        default:
          if (startsNumber(bytes[at])) at = this.#lastOfNumber(at);
      }
    }
    this.#at = at;
    if (at < bytes.length) return false;
    this.#endItem(bytes.length);
    return true;
  }

  #endOfString(start: number): number {
    const end = closingQuote(this.#bytes, start);
    if (isLongName(this.#bytes, start, end)) this.longNameAt ??= start;
    return end;
  }

  #countComma(at: number): boolean {
    const level = this.#level;
    if (level === 1 && this.isArray) {
      if (!this.#endItem(at)) return false;
      this.#itemStart = at + 1;
      return this.items.length < this.#limits.stmtMaxCount || this.#exceeds('stmtMaxCount', at);
    }
    const commas = (this.#commas[level] ?? 0) + 1;
    this.#commas[level] = commas;
    if (commas >= this.#limits.stmtMaxEntries) return this.#exceeds('stmtMaxEntries', at);
    return this.#countValue(at);
  }

  #countValue(at: number): boolean {
    this.#values += 1;
    return this.#values <= this.#limits.stmtMaxValues || this.#exceeds('stmtMaxValues', at);
  }

  #open(at: number): boolean {
    this.#level += 1;
    const level = this.#level;
    if (level > maxDepth) {
      this.tooDeepAt = at;
      return false;
    }
    if (level === 1 && this.isArray) {
      this.#itemStart = at + 1;
      return true;
    }
    this.#commas[level] = 0;
    this.#members.open(level, at);
    return this.#countValue(at);
  }

  #close(at: number): boolean {
    const level = this.#level;
    if (level === 1 && this.isArray) {
      this.closedAt = at;
      this.#endItem(at);
      return false;
    }
    this.#members.close(level, at);
    this.#level = level - 1;
    return true;
  }

  #lastOfNumber(start: number): number {
    const end = endOfNumber(this.#bytes, start);
    if (!printsAsItCame(this.#bytes, start, end)) this.#members.unusualNumbers = true;
    return end - 1;
  }

  /** @returns whether the scan may continue. */
  #endItem(end: number): boolean {
    const start = this.#itemStart;
    if (end - start > this.#limits.stmtMaxBytes) return this.#exceeds('stmtMaxBytes', start);
    const { unusualNumbers, object } = this.#members;
    const span = object !== undefined && isAllBut(this.#bytes, { start, end }, object) ? object : undefined;
    this.items.push({ start, end, values: this.#values, unusualNumbers, span });
    this.#members.forget();
    this.#values = 0;
    return true;
  }

  #exceeds(setting: keyof StatementLimits, offset: number): false {
    this.excess = { setting, item: this.items.length, offset };
    return false;
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether there is only whitespace around the inner range. */
function isAllBut(bytes: Buffer, outer: Range, inner: Range): boolean {
  return endOfBlanks(bytes, outer.start) === inner.start && endOfBlanks(bytes, inner.end) >= outer.end;
}

/** The offset of the first byte from `start` that is not whitespace. */
export function endOfBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

/** The offset of the quote that closes the string which begins at `start`; the length of the text or more without one. */
export function closingQuote(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Whether the string between two quotes is a property name that is too long. */
function isLongName(bytes: Buffer, start: number, end: number): boolean {
  return end - start - 1 > maxNameBytes && bytes[endOfBlanks(bytes, end + 1)] === colon;
}

/** Whether a JSON text has a property name that is too long. */
export function hasLongName(bytes: Buffer): boolean {
  if (bytes.length <= maxNameBytes) return false;
  for (let at = bytes.indexOf(quote); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    const start = at;
    at = closingQuote(bytes, start);
    if (isLongName(bytes, start, at)) return true;
  }
  return false;
}

function startsNumber(byte: number | undefined): boolean {
  return byte === minus || isDigit(byte);
}

function endOfNumber(bytes: Buffer, start: number): number {
  let end = start + 1;
  while (continuesNumber(bytes[end])) end += 1;
  return end;
}

function continuesNumber(byte: number | undefined): boolean {
  return isDigit(byte) || isExponent(byte) || byte === point || byte === plus || byte === minus;
}

/** Single digits, and short numbers that neither begin nor end in zero nor have an exponent, always print the same; only others are tried. */
function printsAsItCame(bytes: Buffer, start: number, end: number): boolean {
  if (end - start === 1) return true;
  const ordinary =
    end - start <= 15 &&
    bytes[start] !== minus &&
    bytes[start] !== zero &&
    bytes[end - 1] !== zero &&
    !hasExponent(bytes, start, end);
  return ordinary || printsUnchanged(bytes.toString('latin1', start, end));
}

/** Whether `JSON.stringify` prints the number of this text as the same text. */
export function printsUnchanged(digits: string): boolean {
  return String(Number(digits)) === digits;
}
