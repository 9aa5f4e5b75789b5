import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Gate } from '../../../lib/db/gate.ts';

describe('a gate', () => {
  it('never lets an exclusive holder meet another, in any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (kinds) => {
        const gate = new Gate();
        let shared = 0;
        let exclusive = 0;
        const finished: number[] = [];
        const work = async (index: number, isExclusive: boolean) => {
          if (isExclusive) exclusive += 1;
          else shared += 1;
          expect(exclusive).toBeLessThanOrEqual(1);
          expect(exclusive === 0 || shared === 0).toBe(true);
          await turn();
          if (isExclusive) exclusive -= 1;
          else shared -= 1;
          finished.push(index);
        };
        await Promise.all(
          kinds.map((isExclusive, index) =>
            isExclusive ? gate.exclusive(() => work(index, true)) : gate.shared(() => work(index, false)),
          ),
        );
        expect(finished).toEqual(kinds.map((_, index) => index));
      }),
    );
  });

  it('lets shared holders in together', async () => {
    const gate = new Gate();
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 5 }, () =>
        gate.shared(async () => {
          inside += 1;
          most = Math.max(most, inside);
          await turn();
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(5);
  });

  it('opens again after a holder fails', async () => {
    const gate = new Gate();
    await expect(gate.exclusive(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(gate.shared(async () => 'inside')).resolves.toBe('inside');
  });
});
