import { describe, expect, it } from 'vitest';
import { entityTagInSlices, entityTagOf } from '../../../lib/documents/entity-tag.ts';

const slice = 256 * 1024;

describe('entityTagInSlices', () => {
  it.each([0, 1, slice - 1, slice, slice + 1, 5 * slice, 5 * slice + 7])(
    'gives the same tag of %i bytes as when they are hashed at once',
    async (length) => {
      const content = Buffer.from(Uint8Array.from({ length }, (_, index) => index % 251));
      expect(await entityTagInSlices(content)).toBe(entityTagOf(content));
    },
  );

  it('lets other work in while it hashes a large content', async () => {
    let isLetIn = false;
    setImmediate(() => {
      isLetIn = true;
    });
    await entityTagInSlices(Buffer.alloc(32 * 1024 * 1024));
    expect(isLetIn).toBe(true);
  });
});
