import { describe, expect, it } from 'vitest';
import { Succession } from '../../../lib/statements/succession.ts';

describe('the succession of turns', () => {
  let now = 0;
  const succession = () => {
    now = 5000;
    return new Succession(() => now);
  };

  it('is not known before the first turn, nor where nobody counts', () => {
    const turns = succession();
    expect(turns.presume()).toBeUndefined();
    turns.had(undefined);
    expect(turns.presume()).toBeUndefined();
  });

  it('goes on from the last turn, one after another', () => {
    const turns = succession();
    turns.had(7);
    expect(turns.presume()).toBe(8);
    expect(turns.presume()).toBe(9);
    turns.had(20);
    expect(turns.presume()).toBe(21);
  });

  it('is presumed only shortly after the last turn', () => {
    const turns = succession();
    turns.had(7);
    now += 99;
    expect(turns.presume()).toBe(8);
    turns.presumed(true);
    now += 99;
    expect(turns.presume()).toBe(9);
    now += 1;
    expect(turns.presume()).toBeUndefined();
  });

  it('is not presumed for a second once that was wrong', () => {
    const turns = succession();
    turns.had(7);
    turns.presumed(false);
    now += 950;
    turns.had(30);
    expect(turns.presume()).toBeUndefined();
    now += 50;
    expect(turns.presume()).toBe(31);
  });
});
