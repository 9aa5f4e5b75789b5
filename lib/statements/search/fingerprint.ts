import type { Key } from '../../db/key.ts';
import type { SearchTermKind } from '../../xapi/search-terms.ts';

/**
 * The fingerprint: what a statement is found by, in 52 bits of an integer that is part of each of its index entries. A
 * mismatch rules the statement out without a lookup. From the lowest bit: a Bloom filter of 26 bits, 13 bits for the
 * Activity, and 13 for the Verb, of which a statement has at most one each.
 */
export type Fingerprint = number;

/** All bits set: rules nothing out, because some keys are unknown, or were when the statement was stored. */
export const anyFingerprint: Fingerprint = -1;

/** A key that statements are found by, and its kind. */
export interface KindOfKey {
  readonly kind: SearchTermKind;
  readonly key: Key;
}

/** The bits, under the mask, of the fingerprint of each statement with the key. */
export interface FingerprintPart {
  readonly mask: number;
  readonly bits: number;
}

const fieldBits = 13;
const fieldSize = 2 ** fieldBits;
const bloomSize = 2 ** (2 * fieldBits);
/** The first bit of the field of a kind; other kinds share the Bloom filter. */
const fieldUnits: Partial<Record<SearchTermKind, number>> = {
  activity: bloomSize,
  verb: bloomSize * fieldSize,
};

/** @param parts of all keys of a statement. */
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

/** Neither 0, the value without such a key, nor all bits. */
function fieldValue(key: Key): number {
  return 1 + (Number.parseInt(key.slice(0, 4), 16) % (fieldSize - 2));
}

/** One bit in each half. */
function bloomBits(key: Key): number {
  const hash = Number.parseInt(key.slice(0, 4), 16);
  return (1 << (hash % fieldBits)) | (1 << (fieldBits + (Math.floor(hash / fieldBits) % fieldBits)));
}
