import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../../lib/db/key.ts';
import {
  anyFingerprint,
  fingerprintOf,
  fingerprintPart,
} from '../../../../lib/statements/search/fingerprint.ts';
import { keysOf } from '../../../../lib/statements/search/search-key.ts';
import type { SearchTermKind } from '../../../../lib/xapi/search-terms.ts';
import { agent, authority, statement } from '../../../support/statements.ts';

const inBloomFilter = ['agent', 'related-agent', 'related-activity', 'registration', 'authority'] as const;
const keyed = (kind: SearchTermKind, text: string) => ({ kind, key: keyOf(`${kind} ${text}`) });
const anyKey = fc.tuple(fc.constantFrom(...inBloomFilter, 'verb', 'activity'), fc.string());
/** What a statement is found by: one Verb, at most one Activity, and any number of others. */
const keys = fc
  .tuple(
    fc.string(),
    fc.array(fc.string(), { maxLength: 1 }),
    fc.array(fc.tuple(fc.constantFrom(...inBloomFilter), fc.string()), { maxLength: 20 }),
  )
  .map(([verb, activities, others]) => [
    keyed('verb', verb),
    ...activities.map((each) => keyed('activity', each)),
    ...others.map(([kind, text]) => keyed(kind, text)),
  ]);

/** As the database asks. */
function allows(fingerprint: number, asked: ReturnType<typeof keyed>): boolean {
  const { mask, bits } = fingerprintPart(asked);
  return fingerprint === anyFingerprint || (BigInt(fingerprint) & BigInt(mask)) === BigInt(bits);
}

describe('the fingerprint of a statement', () => {
  it('allows each of its keys, and has no more than 52 bits', () => {
    fc.assert(
      fc.property(keys, (own) => {
        const fingerprint = fingerprintOf(own.map(fingerprintPart));
        expect(fingerprint).toBeGreaterThan(0);
        expect(fingerprint).toBeLessThan(2 ** 52);
        for (const each of own) expect(allows(fingerprint, each)).toBe(true);
      }),
    );
  });

  it('never looks like one that rules nothing out', () => {
    fc.assert(
      fc.property(anyKey, ([kind, text]) => fingerprintPart(keyed(kind, text)).bits !== anyFingerprint),
    );
    expect(allows(anyFingerprint, keyed('verb', 'any'))).toBe(true);
  });

  it.each([
    ['verb', 20],
    ['activity', 20],
    ['agent', 4000],
  ] as const)('rules out nearly everything else: %s', (kind, most) => {
    const fingerprint = keysOf(statement({ actor: agent('ann') }), authority).fingerprint;
    const allowed = Array.from({ length: 20_000 }, (_, index) => keyed(kind, `other ${index}`)).filter(
      (each) => allows(fingerprint, each),
    );
    expect(allowed.length).toBeLessThan(most);
  });
});
