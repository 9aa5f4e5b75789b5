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

function sliceEnd(text: string, start: number): number {
  const end = start + longestSlice;
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}
