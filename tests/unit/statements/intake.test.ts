import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/errors.ts';
import { Intake } from '../../../lib/statements/intake.ts';

const mebibyte = 1024 * 1024;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** An intake whose works run until they are told to end. */
function observed() {
  const intake = new Intake(256 * mebibyte);
  const running = new Map<string, { readonly bytes: number; readonly end: () => void }>();
  let largest = 0;
  const begin = (name: string, bytes: number): Promise<string> =>
    intake.run(bytes, async () => {
      await new Promise<void>((end) => {
        running.set(name, { bytes, end });
        largest = Math.max(
          largest,
          [...running.values()].reduce((sum, each) => sum + each.bytes, 0),
        );
      });
      running.delete(name);
      return name;
    });
  return { intake, running, begin, largest: () => largest };
}

describe('the intake of statements', () => {
  it('works on bodies that fit together at once, on a larger one alone, first come, first served', async () => {
    const { running, begin } = observed();
    const sizes = [2, 2, 10, 1, 1].map((size) => size * mebibyte);
    const all = Promise.all(sizes.map((bytes, index) => begin(String(index), bytes)));
    const turns: string[][] = [];
    while (running.size > 0) {
      turns.push([...running.keys()]);
      for (const { end } of [...running.values()]) end();
      await settled();
    }
    expect(turns).toEqual([['0', '1'], ['2'], ['3', '4']]);
    expect(await all).toEqual(['0', '1', '2', '3', '4']);
  });

  it('never works on more than a few megabytes of bodies beside one large one', async () => {
    const { running, begin, largest } = observed();
    const bodies = Array.from({ length: 200 }, (_, index) => (index % 4 === 0 ? 1.5 : 0.1) * mebibyte);
    const all = Promise.all(bodies.map((bytes, index) => begin(String(index), bytes)));
    while (running.size > 0) {
      for (const { end } of [...running.values()]) end();
      await settled();
    }
    await all;
    expect(largest()).toBeLessThanOrEqual(6 * mebibyte);
  });

  it('lets small bodies pass while large ones wait', async () => {
    const { running, begin } = observed();
    void begin('large', 10 * mebibyte);
    void begin('next large', 10 * mebibyte);
    void begin('small', 1000);
    expect([...running.keys()]).toEqual(['large', 'small']);
  });

  it('takes the bodies of a size class apart one after another', async () => {
    const { intake } = observed();
    const seen: string[] = [];
    const takeApart = (name: string, bytes: number) =>
      intake.run(bytes, (inTurn) =>
        inTurn(async () => {
          seen.push(`${name} begins`);
          await settled();
          seen.push(`${name} ends`);
        }),
      );
    await Promise.all([takeApart('a', 1000), takeApart('b', 1000), takeApart('large', mebibyte)]);
    expect(seen.filter((event) => !event.startsWith('large'))).toEqual([
      'a begins',
      'a ends',
      'b begins',
      'b ends',
    ]);
    expect(seen.indexOf('large begins')).toBeLessThan(seen.indexOf('a ends'));
  });

  it('goes on after a failure', async () => {
    const { intake } = observed();
    await expect(intake.run(10 * mebibyte, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(await intake.run(10 * mebibyte, async () => 'next')).toBe('next');
  });

  it('turns away what would wait behind 256 MiB, until that has been worked on', async () => {
    const { intake, running, begin } = observed();
    const waiting = Promise.all(
      Array.from({ length: 25 }, (_, index) => begin(String(index), 10 * mebibyte)),
    );
    await expect(intake.run(10 * mebibyte, async () => 'late')).rejects.toThrow(UnavailableError);
    while (running.size > 0) {
      for (const { end } of [...running.values()]) end();
      await settled();
    }
    await waiting;
    expect(await intake.run(10 * mebibyte, async () => 'again')).toBe('again');
  });
});
