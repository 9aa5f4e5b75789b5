/* The bytes of a JSON text (RFC 8259). */

export const tab = 0x09;
export const newLine = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const quote = 0x22;
export const plus = 0x2b;
export const comma = 0x2c;
export const minus = 0x2d;
export const point = 0x2e;
export const zero = 0x30;
export const nine = 0x39;
export const colon = 0x3a;
const upperE = 0x45;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
const lowerE = 0x65;
export const lowerU = 0x75;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** Shorter numbers without an exponent are always within the range of a double. */
const safeDigits = 300;

export function isBlank(byte: number | undefined): boolean {
  if (byte === undefined || byte > space) return false;
  return byte === space || byte === newLine || byte === carriageReturn || byte === tab;
}

const escapes = Buffer.from('"\\/bfnrt');

export function isEscape(byte: number | undefined): boolean {
  return byte !== undefined && escapes.includes(byte);
}

/** The value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - zero;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

function endOfDigits(bytes: Buffer, start: number): number {
  let end = start;
  while (isDigit(bytes[end])) end += 1;
  return end;
}

/** The offset after the number (RFC 8259, section 6) that begins at `start`, or -1 where none does. */
export function endOfNumber(bytes: Buffer, start: number): number {
  const first = bytes[start] === minus ? start + 1 : start;
  let end = bytes[first] === zero ? first + 1 : endOfDigits(bytes, first);
  if (end === first) return -1;
  if (bytes[end] === point) {
    const fraction = end + 1;
    end = endOfDigits(bytes, fraction);
    if (end === fraction) return -1;
  }
  if (!isExponent(bytes[end])) return end;
  const signed = bytes[end + 1] === minus || bytes[end + 1] === plus;
  const exponent = end + (signed ? 2 : 1);
  end = endOfDigits(bytes, exponent);
  return end === exponent ? -1 : end;
}

/** Whether the byte begins the exponent of a number. */
export function isExponent(byte: number | undefined): boolean {
  return byte === lowerE || byte === upperE;
}

export function mayOverflow(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > safeDigits) return true;
  return hasExponent(bytes, start, end);
}

/** Whether the number between the offsets has an exponent. */
export function hasExponent(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (isExponent(bytes[at])) return true;
  return false;
}

/** Whether the byte would continue a literal or number before it. */
export function continuesWord(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const letter = byte | 0x20;
  const isLetter = letter >= 0x61 && letter <= 0x7a;
  return isDigit(byte) || isLetter || byte === 0x5f || byte === point || byte === minus || byte === plus;
}
