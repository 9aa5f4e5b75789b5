import { describe, expect, it } from 'vitest';
import { common as german } from '../../../ui/src/texts/de/common.ts';
import { common as english } from '../../../ui/src/texts/en/common.ts';

describe('the wait before another attempt, on the screen', () => {
  it.each([
    [1, 'Try again in 1 second.', 'Versuchen Sie es in 1 Sekunde erneut.'],
    [2, 'Try again in 2 seconds.', 'Versuchen Sie es in 2 Sekunden erneut.'],
  ])('of %d s is written in both languages', (seconds, inEnglish, inGerman) => {
    expect([english.retryAfter(seconds), german.retryAfter(seconds)]).toEqual([inEnglish, inGerman]);
  });
});
