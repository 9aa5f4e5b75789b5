import { longestSlice } from '../text-slices.ts';

/** Bytes of a content that one line of an export holds; a multiple of three, so that base64 needs no padding in between. */
const partBytes = 3 * 1024 * 1024;
/** Bytes whose base64 is made at once; a multiple of three, too. */
const sliceBytes = (longestSlice / 4) * 3;

/** A part of the content of an attachment. */
export interface ContentLine {
  /** Lower-case hex SHA-2 hash of the whole. */
  readonly sha2: string;
  /** Base64. */
  readonly data: string;
  /** Left out in the last part. */
  readonly more?: true;
}

/** The parts of a content that have lines of their own, in their order. */
export function* contentParts(
  content: Buffer,
): Generator<{ readonly bytes: Buffer; readonly isLast: boolean }> {
  let start = 0;
  do {
    const end = Math.min(start + partBytes, content.length);
    yield { bytes: content.subarray(start, end), isLast: end === content.length };
    start = end;
  } while (start < content.length);
}

/** The base64 of bytes, in slices. */
export function* base64Slices(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield bytes.toString('base64', start, start + sliceBytes);
  }
}
