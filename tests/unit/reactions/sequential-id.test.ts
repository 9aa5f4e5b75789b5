import { describe, expect, it } from 'vitest';
import { sequentialId } from '../../../lib/reactions/store/sequential-id.ts';

describe('Sequential ids', () => {
  it('sort as they were made, also in one millisecond and when the clock is set back', () => {
    const now = Date.now();
    const ids = [now, now, now, now - 1000, now].map((milliseconds) => sequentialId(milliseconds));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(5);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
