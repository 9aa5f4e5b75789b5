import { describe, expect, it } from 'vitest';
import { collectionKey, documentKey } from '../../../lib/documents/keys.ts';
import type { DocumentAddress } from '../../../lib/documents/types.ts';

const address: DocumentAddress = {
  kind: 'activities/state',
  activity: 'a:b',
  agent: 'mbox::mailto:a@b',
  registration: undefined,
  id: 'id',
};

const registration = '5b1e4a3e-4f0c-4c7e-8a55-0d8c1f1d6f00';
const others: readonly DocumentAddress[] = [
  { ...address, kind: 'activities/profile' },
  { ...address, activity: undefined },
  { ...address, agent: undefined },
  { ...address, activity: 'mbox::mailto:a@b', agent: 'a:b' },
  { ...address, registration },
  { ...address, registration: 'id', id: 'id' },
  { ...address, id: registration },
  { ...address, id: '' },
];

describe('the key of a document', () => {
  it('is 16 bytes as hex, of the whole address and of nothing less', () => {
    const keys = [address, ...others].map(documentKey);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(documentKey({ ...address })).toBe(documentKey(address));
  });

  it('of a collection leaves registration and id aside', () => {
    const same = [address, { ...address, registration }, { ...address, id: 'other' }].map(collectionKey);
    expect(new Set(same).size).toBe(1);
    expect(new Set(others.slice(0, 4).map(collectionKey)).add(collectionKey(address)).size).toBe(5);
  });
});
