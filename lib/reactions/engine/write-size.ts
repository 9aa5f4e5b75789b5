import type { Made } from './react.ts';
import type { WriteCost } from './write-costs.ts';

/** How much a transaction stores. */
export interface WriteSize extends WriteCost {
  readonly statements: number;
  readonly bytes: number;
}

export const noSize: WriteSize = { statements: 0, bytes: 0, indexEntries: 0, targetBytes: 0 };

/** The size together with that of further statements. */
export function withMade(size: WriteSize, made: readonly Made[]): WriteSize {
  let { statements, bytes, indexEntries, targetBytes } = size;
  for (const each of made) {
    statements += 1;
    bytes += each.bytes;
    indexEntries += each.indexEntries;
    targetBytes += each.targetBytes;
  }
  return { statements, bytes, indexEntries, targetBytes };
}

export function isWithin(size: WriteSize, most: WriteSize): boolean {
  const hasFewBytes = size.bytes <= most.bytes && size.targetBytes <= most.targetBytes;
  return size.statements <= most.statements && size.indexEntries <= most.indexEntries && hasFewBytes;
}
