/** Bytes of a content that one line of an export holds; a multiple of three, so that base64 needs no padding in between. */
const partBytes = 3 * 1024 * 1024;

/** A part of the content of an attachment. */
export interface ContentLine {
  /** Lower-case hex SHA-2 hash of the whole. */
  readonly sha2: string;
  /** Base64. */
  readonly data: string;
  /** Left out in the last part. */
  readonly more?: true;
}

/** The lines of a content, in their order. */
export function* contentLines(sha2: string, content: Buffer): Generator<ContentLine> {
  let start = 0;
  do {
    const end = Math.min(start + partBytes, content.length);
    const data = content.toString('base64', start, end);
    yield end < content.length ? { sha2, data, more: true } : { sha2, data };
    start = end;
  } while (start < content.length);
}
