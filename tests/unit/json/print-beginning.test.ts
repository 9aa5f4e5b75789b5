import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/json/json.ts';
import { printMarkedNumbers } from '../../../lib/json/numbers.ts';
import { printBeginning } from '../../../lib/json/print-beginning.ts';

const wholeOf = (tree: unknown): string => printMarkedNumbers(JSON.stringify(tree, undefined, 2));
const sourceOf = (text: string): unknown => parseJson(Buffer.from(text)).source;

describe('printBeginning', () => {
  it('prints all of a tree that is short enough, as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (tree) => {
        expect(printBeginning(tree, 2, Number.POSITIVE_INFINITY)).toBe(wholeOf(tree));
      }),
    );
  });

  it('prints at least as many characters of the beginning as it is asked for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 200 }), (tree, characters) => {
        const whole = wholeOf(tree);
        const beginning = printBeginning(tree, 2, characters);
        expect(beginning.length).toBeGreaterThanOrEqual(Math.min(characters, whole.length));
        expect(beginning.slice(0, characters)).toBe(whole.slice(0, characters));
      }),
    );
  });

  it('prints numbers as they were received', () => {
    expect(printBeginning(sourceOf('[1.0,[1e2]]'), 1, 100)).toBe('[\n 1.0,\n [\n  1e2\n ]\n]');
  });

  it('prints no more of a deep list than is needed, however long the list is', () => {
    const values = Array.from({ length: 50_000 }, () => 0);
    const tree = Array.from({ length: 60 }).reduce((inner) => [inner], values);
    expect(printBeginning(tree, 2, 1000).length).toBeLessThan(1200);
  });

  it('prints no more of a long text than is needed', () => {
    expect(printBeginning(['x'.repeat(1_000_000)], 2, 1000).length).toBeLessThan(1100);
  });
});
