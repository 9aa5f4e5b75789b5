import { InvalidError } from '../errors.ts';

/**
 * All of a text that is made piece by piece, for a gateway that can't send it so.
 * @param limit bytes.
 * @throws InvalidError with the remedy when there is more.
 */
export async function wholeText(
  pieces: AsyncIterable<string>,
  limit: number,
  remedy: string,
): Promise<string> {
  const taken: string[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limit)
      throw new InvalidError(
        `The answer is larger than the ${limit} bytes that this gateway carries. ${remedy}`,
      );
    taken.push(piece);
  }
  return taken.join('');
}
