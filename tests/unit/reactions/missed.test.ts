import { describe, expect, it } from 'vitest';
import { uncovered, withGap } from '../../../lib/reactions/missed.ts';

const stretch = (from: number, through: number) => ({ from, through });

describe('what a reaction has missed', () => {
  it('spans all gaps, and no gap that is empty', () => {
    expect(withGap(null, stretch(3, 5))).toEqual(stretch(3, 5));
    expect(withGap(null, stretch(5, 5))).toBeNull();
    expect(withGap(stretch(3, 5), stretch(8, 9))).toEqual(stretch(3, 9));
    expect(withGap(stretch(3, 5), stretch(9, 8))).toEqual(stretch(3, 5));
  });

  it.each([
    ['all of it', stretch(3, 9), null],
    ['more than all of it', stretch(0, 20), null],
    ['its beginning', stretch(1, 5), stretch(5, 9)],
    ['its end', stretch(6, 12), stretch(3, 6)],
    ['what lies within, so the earliest gap is still named', stretch(5, 6), stretch(3, 9)],
    ['what lies before it', stretch(1, 3), stretch(3, 9)],
    ['what lies behind it', stretch(9, 12), stretch(3, 9)],
  ])('is less when a replay has looked at %s', (_, covered, left) => {
    expect(uncovered(stretch(3, 9), covered)).toEqual(left);
  });
});
