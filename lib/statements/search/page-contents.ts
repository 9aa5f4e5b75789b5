import type { CarriedContent } from '../../attachments/types.ts';
import type { Position } from '../types.ts';

/** The most uploads that a page contains; each is a request to the bucket. */
const mostUploads = 20;

/** Each content of a page once, described by the first statement with it, in the page's order. */
export function contentsOf(
  carried: readonly CarriedContent[],
  positions: readonly Position[],
): readonly CarriedContent[] {
  const places = new Map(positions.map((position, index) => [position, index]));
  const placeOf = ({ position }: CarriedContent): number => places.get(position) ?? -1;
  const first = new Map<string, CarriedContent>();
  const uses = carried.filter((use) => placeOf(use) >= 0).sort((a, b) => placeOf(a) - placeOf(b));
  for (const use of uses) if (!first.has(use.sha2)) first.set(use.sha2, use);
  return [...first.values()];
}

/** The bytes that each statement of a page adds: those of contents that were sent with their statements. */
export function sizesOf(contents: readonly CarriedContent[]): Map<Position, number> {
  const sizes = new Map<Position, number>();
  for (const { position, length, sentAlong } of contents) {
    if (sentAlong) sizes.set(position, (sizes.get(position) ?? 0) + length);
  }
  return sizes;
}

/**
 * The contents of a page: those that were sent with their statements, and the smallest uploads as far as there is space;
 * others are downloaded one by one.
 * @param room the bytes that the statements leave.
 */
export function fitting(contents: readonly CarriedContent[], room: number): readonly CarriedContent[] {
  const along = contents.filter(({ sentAlong }) => sentAlong);
  const uploads = contents.filter(({ sentAlong }) => !sentAlong).sort((a, b) => a.length - b.length);
  let left = room - bytesOf(along);
  const taken = uploads.slice(0, mostUploads).filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
  return [...along, ...taken];
}

/** All uses of some of the contents. */
export function usesOf(
  carried: readonly CarriedContent[],
  contents: readonly CarriedContent[],
): readonly CarriedContent[] {
  const hashes = new Set(contents.map(({ sha2 }) => sha2));
  return carried.filter(({ sha2 }) => hashes.has(sha2));
}

/** The size of contents, each named once. */
export const bytesOf = (contents: readonly CarriedContent[]): number =>
  contents.reduce((sum, { length }) => sum + length, 0);
