import { InvalidError } from '../errors.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  continuesWord,
  endOfNumber,
  hexDigit,
  isBlank,
  isEscape,
  lowerU,
  mayOverflow,
  openBrace,
  openBracket,
  quote,
} from './bytes.ts';
import { longNameError, requireUtf8, syntaxError } from './json.ts';
import { standsAt } from './member-notes.ts';
import { placeOf } from './place.ts';
import { maxDepth, maxNameBytes } from './scanner.ts';

/** A member in a JSON text: the offsets of its first byte and after its last one. */
export interface MemberText {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** What may come next: a value, the name of a member, a colon, or what follows a value. */
type Expected = 'value' | 'first item' | 'name' | 'first name' | 'colon' | 'end of value';

const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/**
 * Checks that bytes are JSON, with the rules and error messages of `parseJson`, but without building a tree and in pieces
 * of any size, so that a text of any length needs little memory and blocks nobody. Records the positions of the members of
 * the outermost object.
 */
export class JsonChecker {
  readonly #bytes: Buffer;
  readonly #mostMembers: number;
  readonly #closers: number[] = [];
  #at = 0;
  #expected: Expected = 'value';
  /** The offset of the string that is being read, or -1. */
  #stringStart = -1;
  #stringHasEscapes = false;
  /** The name of the member of the outermost object that is being read. */
  #name = '';
  #memberStart = 0;
  /** The offset after the last value. */
  #valueEnd = 0;
  #members: Map<string, MemberText> | undefined;
  #tooManyMembers = false;

  /** @param mostMembers the most members of the outermost object that are recorded. */
  constructor(bytes: Buffer, mostMembers = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes;
    this.#mostMembers = mostMembers;
  }

  /**
   * The positions of the members of the outermost object by name, from the quote of the name to the end of the value. For a
   * repeated name the last value counts, in the first place. Undefined when the text is not an object.
   */
  get members(): Map<string, MemberText> | undefined {
    return this.#members;
  }

  /** Whether there are more members than were recorded. */
  get tooManyMembers(): boolean {
    return this.#tooManyMembers;
  }

  /**
   * Checks about this many further bytes.
   * @returns whether the end is reached, and the text is JSON.
   * @throws InvalidError with the position.
   */
  advance(count: number): boolean {
    const bytes = this.#bytes;
    if (this.#at === 0) requireUtf8(bytes);
    const limit = Math.min(bytes.length, this.#at + count);
    while (this.#at < limit) {
      if (this.#stringStart >= 0) this.#continueString(limit);
      else if (isBlank(bytes[this.#at])) this.#at += 1;
      else this.#token();
    }
    if (this.#at < bytes.length) return false;
    const ended =
      this.#at === bytes.length && this.#expected === 'end of value' && this.#closers.length === 0;
    if (!ended) throw this.#misplaced(bytes.length);
    return true;
  }

  #token(): void {
    const byte = this.#bytes[this.#at];
    switch (byte) {
      case quote:
        if (this.#expected === 'colon' || this.#expected === 'end of value') throw this.#misplaced();
        this.#stringStart = this.#at;
        this.#stringHasEscapes = false;
        this.#at += 1;
        break;
      case openBrace:
      case openBracket:
        this.#open(byte);
        break;
      case closeBrace:
      case closeBracket:
        this.#close(byte);
        break;
      case comma:
        if (this.#expected !== 'end of value' || this.#closers.length === 0) throw this.#misplaced();
        this.#endMember();
        this.#expected = this.#closers.at(-1) === closeBrace ? 'name' : 'value';
        this.#at += 1;
        break;
      case colon:
        if (this.#expected !== 'colon') throw this.#misplaced();
        this.#expected = 'value';
        this.#at += 1;
        break;
      default:
        this.#beginValue();
        this.#endValue(this.#endOfWord());
    }
  }

  #beginValue(): void {
    if (this.#expected !== 'value' && this.#expected !== 'first item') throw this.#misplaced();
  }

  #endValue(end: number): void {
    this.#at = end;
    this.#valueEnd = end;
    this.#expected = 'end of value';
  }

  #open(byte: number): void {
    this.#beginValue();
    if (this.#closers.length === maxDepth) {
      const place = placeOf(this.#bytes, this.#at);
      throw new InvalidError(`The JSON text is nested deeper than ${maxDepth} levels ${place}.`);
    }
    const isObject = byte === openBrace;
    if (isObject && this.#closers.length === 0) this.#members = new Map();
    this.#closers.push(isObject ? closeBrace : closeBracket);
    this.#expected = isObject ? 'first name' : 'first item';
    this.#at += 1;
  }

  #close(byte: number): void {
    const whenEmpty = byte === closeBrace ? 'first name' : 'first item';
    const closes = this.#expected === whenEmpty || this.#expected === 'end of value';
    if (!closes || this.#closers.at(-1) !== byte) throw this.#misplaced();
    if (this.#expected === 'end of value') this.#endMember();
    this.#closers.pop();
    this.#endValue(this.#at + 1);
  }

  /** A member has ended, perhaps of the outermost object. */
  #endMember(): void {
    if (this.#members === undefined || !this.#notesMembers()) return;
    if (this.#members.size >= this.#mostMembers && !this.#members.has(this.#name)) {
      this.#tooManyMembers = true;
      return;
    }
    this.#members.set(this.#name, {
      bytes: this.#bytes,
      start: this.#memberStart,
      end: this.#valueEnd,
    });
  }

  /** Whether the text is inside the outermost object or array, and more members may be recorded. */
  #notesMembers(): boolean {
    return this.#closers.length === 1 && !this.#tooManyMembers;
  }

  #continueString(limit: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < limit) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) {
        this.#endString(at + 1);
        return;
      }
      if (byte === backslash) {
        this.#stringHasEscapes = true;
        at += this.#escapeLength(at);
      } else {
        if (byte < 0x20) throw this.#misplaced(at);
        at += 1;
      }
    }
    this.#at = at;
  }

  #escapeLength(at: number): number {
    const bytes = this.#bytes;
    if (at + 1 >= bytes.length) return 2;
    if (bytes[at + 1] !== lowerU) {
      if (isEscape(bytes[at + 1])) return 2;
      throw this.#misplaced(at);
    }
    let code = 0;
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      if (digit >= bytes.length) return bytes.length - at + 1;
      const value = hexDigit(bytes[digit] ?? 0);
      if (value < 0) throw this.#misplaced(at);
      code = code * 16 + value;
    }
    if (code > 0) return 6;
    throw new InvalidError(
      `The JSON text contains the character U+0000 ${placeOf(bytes, at)}, which is not allowed.`,
    );
  }

  #endString(end: number): void {
    const start = this.#stringStart;
    this.#stringStart = -1;
    if (this.#expected === 'value' || this.#expected === 'first item') {
      this.#endValue(end);
      return;
    }
    if (end - start - 2 > maxNameBytes) throw longNameError(this.#bytes, start);
    this.#at = end;
    this.#expected = 'colon';
    if (!this.#notesMembers()) return;
    this.#name = this.#stringHasEscapes
      ? String(JSON.parse(this.#bytes.toString('utf8', start, end)))
      : this.#bytes.toString('utf8', start + 1, end - 1);
    this.#memberStart = start;
  }

  /** The end of the literal or number that begins here. */
  #endOfWord(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    const literal = literals.find((word) => bytes[start] === word[0] && standsAt(bytes, start, word));
    const end = literal === undefined ? endOfNumber(bytes, start) : start + literal.length;
    if (end < 0 || continuesWord(bytes[end])) throw this.#misplaced();
    if (
      literal === undefined &&
      mayOverflow(bytes, start, end) &&
      !Number.isFinite(Number(bytes.toString('latin1', start, end)))
    ) {
      throw new InvalidError(`The number ${placeOf(bytes, start)} of the JSON text is too large to be kept.`);
    }
    return end;
  }

  #misplaced(at = this.#at): InvalidError {
    return syntaxError(this.#bytes, at);
  }
}
