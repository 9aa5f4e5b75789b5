import { InvalidError } from '../errors.ts';
import type { Piece } from './types.ts';

/**
 * All of a body that is made piece by piece: text, or bytes.
 * @param limit bytes.
 * @throws InvalidError with the reason when there is more.
 */
export async function wholeBody<P extends Piece>(
  pieces: AsyncIterable<P>,
  limit: number,
  reason: string,
): Promise<string | Buffer> {
  const taken: P[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limit) throw new InvalidError(reason);
    taken.push(piece);
  }
  return taken.every(isText) ? taken.join('') : Buffer.concat(taken.map((piece) => Buffer.from(piece)));
}

const isText = (piece: Piece): boolean => typeof piece === 'string';
