import { InvalidError } from '../errors.ts';

/**
 * All of a text that is made piece by piece.
 * @param limit bytes.
 * @throws InvalidError with the reason when there is more.
 */
export async function wholeText(
  pieces: AsyncIterable<string>,
  limit: number,
  reason: string,
): Promise<string> {
  const taken: string[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limit) throw new InvalidError(reason);
    taken.push(piece);
  }
  return taken.join('');
}
