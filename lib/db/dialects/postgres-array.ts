/** Types of elements, by Postgres' name. */
export type ElementType = 'int8' | 'text' | 'uuid' | 'bytea';

/** Object identifiers of the element types, fixed in Postgres' catalog. */
const oids: Readonly<Record<ElementType, number>> = { int8: 20, text: 25, uuid: 2950, bytea: 17 };

const headerBytes = 20;

type Value = string | number | null | Buffer;

/**
 * One array in Postgres' binary form (`array_recv`): nothing is escaped here or parsed there, which for thousands of rows
 * of JSON is most of the work. Numbers are whole; bytes are given as such or as hexadecimal text; a uuid as its text.
 */
export function binaryArray(type: ElementType, values: readonly Value[]): Buffer {
  const elements = type === 'text' ? values.map(encodable) : values;
  let size = headerBytes;
  for (const element of elements) size += 4 + (element === null ? 0 : sizeOf(type, element));
  const buffer = Buffer.allocUnsafe(size);
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(oids[type], 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let offset = headerBytes;
  for (const element of elements) {
    offset = element === null ? buffer.writeInt32BE(-1, offset) : write(type, element, { buffer, offset });
  }
  // Without dimensions the array ends after its element type.
  return values.length === 0 ? buffer.subarray(0, 12) : buffer;
}

function encodable(value: Value): Value {
  return typeof value === 'string' ? withoutNul(value) : value;
}

function sizeOf(type: ElementType, value: string | number | Buffer): number {
  if (Buffer.isBuffer(value)) return value.length;
  switch (type) {
    case 'int8':
      return 8;
    case 'uuid':
      return 16;
    case 'bytea':
      return String(value).length / 2;
    case 'text':
      return Buffer.byteLength(String(value));
  }
}

/** Writes the length of the value and the value. @returns where it ends. */
function write(
  type: ElementType,
  value: string | number | Buffer,
  { buffer, offset }: { readonly buffer: Buffer; readonly offset: number },
): number {
  const start = buffer.writeInt32BE(sizeOf(type, value), offset);
  if (Buffer.isBuffer(value)) return start + value.copy(buffer, start);
  switch (type) {
    case 'int8':
      return buffer.writeBigInt64BE(BigInt(value), start);
    case 'uuid':
      return start + buffer.write(String(value).replaceAll('-', ''), start, 'hex');
    case 'bytea':
      return start + buffer.write(String(value), start, 'hex');
    case 'text':
      return start + buffer.write(String(value), start);
  }
}

const mark = '\uE000';

/**
 * A text without the character U+0000, which Postgres can't hold: it travels as a mark and `0`, the mark itself as a mark
 * and `1`.
 */
export function withoutNul(text: string): string {
  if (!text.includes('\0') && !text.includes(mark)) return text;
  return text.replace(/[\0\uE000]/g, (character) => mark + (character === '\0' ? '0' : '1'));
}

/** The text that `withoutNul` was given. */
export function withNul(text: string): string {
  return text.includes(mark)
    ? text.replace(/\uE000([01])/g, (_, kind) => (kind === '0' ? '\0' : mark))
    : text;
}
