/** Element types, by Postgres' names. */
export type ElementType = 'int8' | 'text' | 'uuid' | 'bytea';

/** Object identifiers of the element types, fixed in Postgres' catalog. */
const oids: Readonly<Record<ElementType, number>> = { int8: 20, text: 25, uuid: 2950, bytea: 17 };

const headerBytes = 20;
/** The length of an element that is NULL. */
const missing = -1;
const missingHex = 'ffffffff';

type Value = string | number | null | Buffer;

/**
 * One array in Postgres' binary format (`array_recv`). Nothing is escaped here or parsed there, which for thousands of rows
 * of JSON is most of the work. Numbers are integers; bytes are given as such or as hexadecimal text, a uuid as its text, a
 * text as such or as its UTF-8 bytes.
 */
export function binaryArray(type: ElementType, values: readonly Value[]): Buffer {
  const header = headerOf(type, values);
  // An array without dimensions ends after its element type.
  if (values.length === 0) return header.subarray(0, 12);
  return Buffer.concat([header, elementsOf(type, values)]);
}

const keyLength = '00000010';

/** An array of type `uuid` from values of 16 bytes, none of them missing, given as hexadecimal text without hyphens. */
export function keyArray(keys: readonly string[]): Buffer {
  const elements = Buffer.from(keyLength + keys.join(keyLength), 'hex');
  return Buffer.concat([headerOf('uuid', keys), elements]);
}

function headerOf(type: ElementType, values: readonly Value[]): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  header.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  header.writeInt32BE(oids[type], 8);
  header.writeInt32BE(values.length, 12);
  header.writeInt32BE(1, 16);
  return header;
}

/** The elements, each after its length. */
function elementsOf(type: ElementType, values: readonly Value[]): Buffer {
  switch (type) {
    case 'int8':
      return integerElements(values);
    case 'text':
      return byteElements(values.map(encodable));
    default:
      return values.some((value) => Buffer.isBuffer(value))
        ? byteElements(values.map((value) => (typeof value === 'string' ? Buffer.from(value, 'hex') : value)))
        : hexElements(values);
  }
}

function integerElements(values: readonly Value[]): Buffer {
  const buffer = Buffer.allocUnsafe(values.length * 12);
  let offset = 0;
  for (const value of values) {
    offset = buffer.writeInt32BE(value === null ? missing : 8, offset);
    if (value === null) continue;
    const high = Math.floor(Number(value) / 2 ** 32);
    buffer.writeInt32BE(high, offset);
    offset = buffer.writeUInt32BE(Number(value) - high * 2 ** 32, offset + 4);
  }
  return buffer.subarray(0, offset);
}

/**
 * Bytes and uuids, encoded together as one text, because each call into native code costs as much as encoding many of them.
 */
function hexElements(values: readonly Value[]): Buffer {
  const elements = values.map((value) => {
    if (value === null) return missingHex;
    const digits = String(value).replaceAll('-', '');
    return (digits.length / 2).toString(16).padStart(8, '0') + digits;
  });
  return Buffer.from(elements.join(''), 'hex');
}

function byteElements(values: readonly Value[]): Buffer {
  let size = 0;
  for (const value of values) size += 4 + (value === null ? 0 : byteLength(value));
  const buffer = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const value of values) {
    if (value === null) {
      offset = buffer.writeInt32BE(missing, offset);
      continue;
    }
    const start = offset + 4;
    offset =
      start + (Buffer.isBuffer(value) ? value.copy(buffer, start) : buffer.write(String(value), start));
    buffer.writeInt32BE(offset - start, start - 4);
  }
  return buffer;
}

function byteLength(value: string | number | Buffer): number {
  return Buffer.isBuffer(value) ? value.length : Buffer.byteLength(String(value));
}

function encodable(value: Value): Value {
  if (Buffer.isBuffer(value)) return encoded(value);
  return typeof value === 'string' && needsEncoding(value) ? encoded(Buffer.from(value)) : value;
}

const mark = '\uE000';
const zero = 0x30;
const one = 0x31;

/**
 * A text without U+0000, which Postgres cannot store: U+0000 is escaped as U+E000 and `0`, U+E000 itself as U+E000 and `1`.
 */
export function withoutNul(text: string): string {
  return needsEncoding(text) ? encoded(Buffer.from(text)).toString() : text;
}

function needsEncoding(text: string): boolean {
  return text.includes('\0') || text.includes(mark);
}

/**
 * The same for a text in UTF-8. It avoids regular expressions, which are slow on a text that consists of escape characters.
 */
function encoded(bytes: Buffer): Buffer {
  // Both searches are vectorised; only private characters begin with the second byte.
  if (!bytes.includes(0) && !bytes.includes(0xee)) return bytes;
  const size = encodedLength(bytes);
  if (size === bytes.length) return bytes;
  const result = Buffer.allocUnsafe(size);
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const isMark = isMarkAt(bytes, at);
    if (byte !== 0 && !isMark) {
      result[end++] = byte;
      continue;
    }
    result[end++] = 0xee;
    result[end++] = 0x80;
    result[end++] = 0x80;
    result[end++] = isMark ? one : zero;
    if (isMark) at += 2;
  }
  return result;
}

function encodedLength(bytes: Buffer): number {
  let length = bytes.length;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0) length += 3;
    else if (isMarkAt(bytes, at)) length += 1;
  }
  return length;
}

/** In UTF-8 these bytes are never part of other characters. */
function isMarkAt(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xee && bytes[at + 1] === 0x80 && bytes[at + 2] === 0x80;
}

/** Undoes `withoutNul`. */
export function withNul(text: string): string {
  if (!text.includes(mark)) return text;
  // In UTF-16, which is cheap to convert, and in place, because the result is shorter.
  const bytes = Buffer.from(text, 'utf16le');
  let end = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    const kind = kindOfMarkAt(bytes, at);
    bytes[end++] = kind === zero ? 0 : (bytes[at] ?? 0);
    bytes[end++] = kind === zero ? 0 : (bytes[at + 1] ?? 0);
    if (kind !== undefined) at += 2;
  }
  return bytes.toString('utf16le', 0, end);
}

/** The character after an escape character: zero or one. */
function kindOfMarkAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] !== 0 || bytes[at + 1] !== 0xe0 || bytes[at + 3] !== 0) return undefined;
  const kind = bytes[at + 2];
  return kind === zero || kind === one ? kind : undefined;
}
