import type { Key } from '../../db/key.ts';
import type { SearchTermKind } from '../../xapi/search-terms.ts';

/**
 * What a statement is found by, in 52 bits of a whole number, as part of each of its index entries. What the fingerprint
 * rules out nobody need look up. From its low end: a Bloom filter of 26 bits, 13 for the Activity, 13 for the Verb, of
 * which a statement has no more than one each.
 */
export type Fingerprint = number;

/** Has all bits: rules nothing out, because not all keys are known, or were not when the statement was stored. */
export const anyFingerprint: Fingerprint = -1;

/** A key that statements are found by, and its kind. */
export interface KindOfKey {
  readonly kind: SearchTermKind;
  readonly key: Key;
}

/** What the fingerprint of each statement that has a key has in the bits of the mask. */
export interface FingerprintPart {
  readonly mask: number;
  readonly bits: number;
}

const fieldBits = 13;
const fieldSize = 2 ** fieldBits;
const bloomSize = 2 ** (2 * fieldBits);
/** Where the field of a kind begins; the other kinds share the Bloom filter. */
const fieldUnits: Partial<Record<SearchTermKind, number>> = {
  activity: bloomSize,
  verb: bloomSize * fieldSize,
};

/** @param parts those of all keys of a statement. */
export function fingerprintOf(parts: Iterable<FingerprintPart>): Fingerprint {
  let fields = 0;
  let bloom = 0;
  for (const { bits } of parts) {
    if (bits < bloomSize) bloom |= bits;
    else fields += bits;
  }
  return fields + bloom;
}

export function fingerprintPart({ kind, key }: KindOfKey): FingerprintPart {
  const unit = fieldUnits[kind];
  if (unit !== undefined) return { mask: unit * (fieldSize - 1), bits: unit * fieldValue(key) };
  const bits = bloomBits(key);
  return { mask: bits, bits };
}

/** Neither none of the bits, as of a statement without such a key, nor all of them. */
function fieldValue(key: Key): number {
  return 1 + (Number.parseInt(key.slice(0, 4), 16) % (fieldSize - 2));
}

/** One bit in each half. */
function bloomBits(key: Key): number {
  const hash = Number.parseInt(key.slice(0, 4), 16);
  return (1 << (hash % fieldBits)) | (1 << (fieldBits + (Math.floor(hash / fieldBits) % fieldBits)));
}
