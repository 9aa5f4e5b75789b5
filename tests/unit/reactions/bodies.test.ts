import { describe, expect, it } from 'vitest';
import { readReactionId } from '../../../lib/reactions/bodies.ts';

describe('the id of a reaction in a path', () => {
  it('is a UUID, in lower case afterwards', () => {
    const id = '0F1D2B5E-3C4A-4F0E-9A77-1D2C3B4A5F60';
    expect(readReactionId(`/admin/reaction/${id}`)).toBe(id.toLowerCase());
  });

  it.each(['r1', ''])('is refused by its place where it is %j', (id) => {
    expect(() => readReactionId(`/admin/reaction/${id}`)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'id' })] }),
    );
  });
});
