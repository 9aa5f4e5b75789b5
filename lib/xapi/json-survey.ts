/** What one quick pass over the bytes of a JSON text tells, so that the slow ways are taken only by the few texts that need them. */
export interface JsonSurvey {
  /** How many levels of objects and arrays the text opens inside each other. */
  readonly depth: number;
  /** Whether some number would not print as it came. */
  readonly unusualNumbers: boolean;
}

const quote = 0x22;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const upperE = 0x45;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const lowerE = 0x65;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Surveys any bytes; what it says is exact for valid JSON, and its depth is one for the valid beginning of other texts. */
export function surveyJson(bytes: Buffer): JsonSurvey {
  let level = 0;
  let depth = 0;
  let unusualNumbers = false;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = closingQuote(bytes, at);
        break;
      case openBrace:
      case openBracket:
        level += 1;
        if (level > depth) depth = level;
        break;
      case closeBrace:
      case closeBracket:
        level -= 1;
        break;
      default:
        if (startsNumber(bytes[at])) {
          const end = endOfNumber(bytes, at);
          unusualNumbers ||= !printsAsItCame(bytes, at, end);
          at = end - 1;
        }
    }
  }
  return { depth, unusualNumbers };
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
