import { describe, expect, it } from 'vitest';
import { percentIn } from '../../../ui/src/texts/percent.ts';

describe('a percentage on the screen', () => {
  it.each([
    [0, '0%'],
    [1e-9, '<0.1%'],
    [0.0009, '<0.1%'],
    [0.001, '0.1%'],
    [0.5, '50%'],
    [0.1234, '12.3%'],
    [0.999, '99.9%'],
    [0.9991, '>99.9%'],
    [1 - 1e-9, '>99.9%'],
    [1, '100%'],
  ])('of %d is written as %s', (share, text) => {
    expect(percentIn('en')(share)).toBe(text);
  });

  it('is written as the language does it', () => {
    expect(percentIn('de')(0.0001)).toMatch(/^<0,1\s%$/);
    expect(percentIn('de')(0.9999)).toMatch(/^>99,9\s%$/);
  });
});
