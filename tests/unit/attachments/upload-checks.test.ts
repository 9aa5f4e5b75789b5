import { describe, expect, it } from 'vitest';
import { UploadChecks } from '../../../lib/attachments/upload-checks.ts';
import type { Upload } from '../../../lib/attachments/upload-store.ts';

const uploadsOf = (name: string, count: number): Upload[] =>
  Array.from({ length: count }, (_, index) => ({
    objectId: `${name}-${index}`,
    sha2: `hash of ${name}-${index}`,
    length: 1,
    contentType: 'a/b',
    expires: 0,
  }));
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what the bucket is asked of uploads', () => {
  /** A bucket that answers when it is told to. */
  function heldBucket() {
    const pending = new Map<string, () => void>();
    let most = 0;
    const uploaded = (objectId: string) =>
      new Promise<{ sha2: string; length: number }>((resolve) => {
        pending.set(objectId, () => {
          pending.delete(objectId);
          resolve({ sha2: `hash of ${objectId}`, length: 1 });
        });
        most = Math.max(most, pending.size);
      });
    return { uploaded, pending, most: () => most };
  }

  it('is eight uploads of one request, and sixty-four of all, at the same time', async () => {
    const bucket = heldBucket();
    const checks = new UploadChecks(bucket, () => 0);
    const requests = Array.from({ length: 10 }, (_, index) => checks.complete(uploadsOf(`r${index}`, 20)));
    await settled();
    expect(bucket.pending.size).toBe(64);
    while (bucket.pending.size > 0) {
      for (const answer of [...bucket.pending.values()]) answer();
      await settled();
    }
    expect(bucket.most()).toBe(64);
    for (const complete of await Promise.all(requests)) expect(complete.size).toBe(20);
  });

  it('is that of the clients in turns', async () => {
    const bucket = heldBucket();
    const checks = new UploadChecks(bucket, () => 0);
    const client = (name: string) => ({ name: () => name, hasGone: () => false });
    const many = Array.from({ length: 30 }, (_, index) =>
      checks.complete(uploadsOf(`many${index}`, 8), client('many')),
    );
    const one = checks.complete(uploadsOf('one', 1), client('one'));
    await settled();
    expect(bucket.pending.has('one-0')).toBe(false);
    for (const answer of [...bucket.pending.values()].slice(0, 2)) answer();
    await settled();
    expect(bucket.pending.has('one-0')).toBe(true);
    while (bucket.pending.size > 0) {
      for (const answer of [...bucket.pending.values()]) answer();
      await settled();
    }
    expect((await Promise.all([...many, one])).length).toBe(31);
  });

  it('is no more after thirty seconds of one request, which is refused then', async () => {
    let now = 0;
    let asked = 0;
    const uploaded = async () => {
      asked += 1;
      now += 2000;
      return undefined;
    };
    const checks = new UploadChecks({ uploaded }, () => now);
    await expect(checks.complete(uploadsOf('slow', 1000))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(asked).toBe(16);
    expect(await checks.complete(uploadsOf('few', 8))).toEqual(new Map());
  });
});
