/** Characters of a long text that are processed at once, in some tenths of a millisecond. */
export const longestSlice = 64 * 1024;

/** A text in slices, between which other work may be done. No slice ends within a character of two code units. */
export function* textSlices(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = sliceEnd(text, start);
    yield text.slice(start, end);
    start = end;
  }
}

/** The beginning of a text. It does not end within a character of two code units, so it may have one more than that length. */
export const beginningOf = (text: string, length: number): string => text.slice(0, sliceEnd(text, 0, length));

function sliceEnd(text: string, start: number, length = longestSlice): number {
  const end = start + length;
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}
