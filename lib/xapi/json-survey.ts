import type { ObjectSpan } from './object-text.ts';

/** What one quick pass over the bytes of a JSON text tells, so that the slow ways are taken only by the few texts that need them. */
export interface JsonSurvey {
  /** How many levels of objects and arrays the text opens inside each other. */
  readonly depth: number;
  /** Whether some number would not print as it came. */
  readonly unusualNumbers: boolean;
}

const tab = 0x09;
const newLine = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
export const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const upperE = 0x45;
export const openBracket = 0x5b;
const backslash = 0x5c;
export const closeBracket = 0x5d;
const lowerE = 0x65;
export const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Surveys any bytes; what it says is exact for valid JSON, and its depth is one for the valid beginning of other texts.
 * @param objects gets the object that the text is, or each item of the array that it is; of what is not an object nothing
 *   useful, and nothing at all of what is no array either.
 */
export function surveyJson(bytes: Buffer, objects: ObjectSpan[] = []): JsonSurvey {
  const members = new MemberNotes(bytes, isArray(bytes) ? 2 : 1, objects);
  let level = 0;
  let depth = 0;
  let unusualNumbers = false;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        members.begin(level, at);
        at = closingQuote(bytes, at);
        break;
      case colon:
        members.names += 1;
        break;
      case comma:
        members.end(level, at);
        break;
      case openBrace:
      case openBracket:
        level += 1;
        if (level > depth) depth = level;
        members.open(level, at);
        break;
      case closeBrace:
      case closeBracket:
        members.close(level, at);
        level -= 1;
        break;
      case space:
      case tab:
      case newLine:
      case carriageReturn:
        members.compact = false;
        break;
      default:
        if (startsNumber(bytes[at])) {
          const end = endOfNumber(bytes, at);
          if (!printsAsItCame(bytes, at, end)) {
            unusualNumbers = true;
            members.unusualNumbers = true;
          }
          at = end - 1;
        }
    }
  }
  return { depth, unusualNumbers };
}

/** Offsets. What has fewer members than a statement needs is not worth the room. */
const fewest = 6;
const unusable: ObjectSpan = {
  start: 0,
  end: 0,
  members: [],
  parts: [],
  contextMembers: 0,
  names: 0,
  compact: false,
  unusualNumbers: false,
};

/** Notes the members of the objects on one level, and those of the `context` of each. */
class MemberNotes {
  names = 0;
  compact = true;
  unusualNumbers = false;
  readonly #bytes: Buffer;
  readonly #level: number;
  readonly #objects: ObjectSpan[];
  #members: number[] = [];
  #parts: number[] = [];
  #contextMembers = 0;
  #objectStart = 0;
  /** Where the member that has not ended yet begins. */
  #start = -1;
  #inContext = false;
  /** The same of a member of the context. */
  #contextStart = -1;
  #valueStart = 0;

  constructor(bytes: Buffer, level: number, objects: ObjectSpan[]) {
    this.#bytes = bytes;
    this.#level = level;
    this.#objects = objects;
  }

  open(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0) {
      this.#objectStart = at;
      this.names = 0;
      this.compact = true;
      this.unusualNumbers = false;
      this.#members = [];
      this.#parts = [];
      this.#contextMembers = 0;
      this.#start = -1;
    } else if (below === 1) {
      this.#inContext = standsAt(this.#bytes, this.#start, contextName);
      this.#valueStart = at;
      this.#contextStart = -1;
    } else if (below === 2 && this.#inContext) {
      this.#valueStart = at;
    }
  }

  begin(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0) {
      if (this.#start < 0) this.#start = at;
    } else if (below === 1 && this.#inContext && this.#contextStart < 0) {
      this.#contextStart = at;
    }
  }

  end(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0 && this.#start >= 0) {
      this.#members.push(this.#start, at);
      this.#start = -1;
    } else if (below === 1 && this.#inContext && this.#contextStart >= 0) {
      this.#contextMembers += 1;
      this.#contextStart = -1;
    }
  }

  close(level: number, at: number): void {
    const below = level - this.#level;
    if (below === 0) {
      this.end(level, at);
      this.#closeObject(at);
    } else if (below === 1) {
      this.end(level, at);
      if (this.#inContext) this.#inContext = false;
      else this.#parts.push(0, this.#start, this.#valueStart, at + 1);
    } else if (below === 2 && this.#inContext) {
      this.#parts.push(1, this.#contextStart, this.#valueStart, at + 1);
    }
  }

  #closeObject(at: number): void {
    const { names, compact, unusualNumbers } = this;
    if (this.#members.length < fewest) {
      this.#objects.push(unusable);
      return;
    }
    this.#objects.push({
      start: this.#objectStart,
      end: at + 1,
      members: this.#members,
      parts: this.#parts,
      contextMembers: this.#contextMembers,
      names,
      compact,
      unusualNumbers,
    });
  }
}

const contextName = Buffer.from('"context"');

function isArray(bytes: Buffer): boolean {
  return bytes[endOfBlanks(bytes, 0)] === openBracket;
}

/** Whether the text stands in the bytes from `start` on. */
export function standsAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text[at]) return false;
  return true;
}

/** Where what is no blank stands from `start` on. */
export function endOfBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === newLine || byte === carriageReturn;
}

function closingQuote(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function startsNumber(byte: number | undefined): boolean {
  return byte !== undefined && (byte === minus || (byte >= zero && byte <= nine));
}

function endOfNumber(bytes: Buffer, start: number): number {
  let end = start + 1;
  while (continuesNumber(bytes[end])) end += 1;
  return end;
}

function continuesNumber(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  if (byte >= zero && byte <= nine) return true;
  return byte === point || byte === lowerE || byte === upperE || byte === plus || byte === minus;
}

/** Short numbers that neither begin nor end in zero nor have an exponent always do; only the others are tried. */
function printsAsItCame(bytes: Buffer, start: number, end: number): boolean {
  const ordinary =
    end - start <= 15 &&
    bytes[start] !== minus &&
    bytes[start] !== zero &&
    bytes[end - 1] !== zero &&
    !hasExponent(bytes, start, end);
  return ordinary || printsUnchanged(bytes.toString('latin1', start, end));
}

function hasExponent(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === lowerE || bytes[at] === upperE) return true;
  return false;
}

/** Whether `JSON.stringify` prints the number of this text as the same text. */
export function printsUnchanged(digits: string): boolean {
  return String(Number(digits)) === digits;
}
