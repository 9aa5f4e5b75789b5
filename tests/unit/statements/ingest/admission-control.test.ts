import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../lib/client-turns.ts';
import { UnavailableError } from '../../../../lib/errors.ts';
import { AdmissionControl } from '../../../../lib/statements/ingest/admission-control.ts';

const mebibyte = 1024 * 1024;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Admission control, and work on bodies that are read at once and stay until they are told to end. */
function observed() {
  const admission = new AdmissionControl(256 * mebibyte);
  const running = new Map<string, { readonly bytes: number; readonly end: () => void }>();
  let largest = 0;
  const begin = async (name: string, bytes: number): Promise<string> => {
    const place = await admission.enter(bytes);
    place.endReading();
    await new Promise<void>((end) => {
      running.set(name, { bytes, end });
      largest = Math.max(
        largest,
        [...running.values()].reduce((sum, each) => sum + each.bytes, 0),
      );
    });
    running.delete(name);
    place.leave();
    return name;
  };
  return { admission, running, begin, largest: () => largest };
}

describe('admission control of statements', () => {
  it('lets in bodies that fit together, a larger one alone, first come, first served', async () => {
    const { running, begin } = observed();
    const sizes = [2, 2, 10, 1, 1].map((size) => size * mebibyte);
    const all = Promise.all(sizes.map((bytes, index) => begin(String(index), bytes)));
    const turns: string[][] = [];
    await settled();
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
    await settled();
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
    await settled();
    expect([...running.keys()]).toEqual(['large', 'small']);
  });

  it('lets single statements pass while small batches wait', async () => {
    const { running, begin } = observed();
    for (let count = 0; count < 40; count += 1) void begin(`batch ${count}`, 100 * 1024);
    await settled();
    expect(running.size).toBe(20);
    void begin('single', 2000);
    await settled();
    expect([...running.keys()].at(-1)).toBe('single');
  });

  it('lets in the bodies of one client after the other, those of each in their order', async () => {
    const { admission } = observed();
    const clientOf = (name: string): Client => ({ name: () => name, hasGone: () => false });
    const order: string[] = [];
    const names = ['greedy 1', 'greedy 2', 'greedy 3', 'modest 1', 'modest 2', 'other 1'];
    const done = names.map(async (name) => {
      const place = await admission.enter(mebibyte, clientOf(name.split(' ')[0] ?? ''));
      order.push(name);
      await settled();
      place.leave();
    });
    await Promise.all(done);
    expect(order).toEqual(['greedy 1', 'greedy 2', 'modest 1', 'other 1', 'greedy 3', 'modest 2']);
  });

  it('has one body of a size class read after the other', async () => {
    const { admission } = observed();
    const seen: string[] = [];
    const read = async (name: string, bytes: number) => {
      const place = await admission.enter(bytes);
      seen.push(`${name} begins`);
      await settled();
      seen.push(`${name} ends`);
      place.endReading();
      await settled();
      place.leave();
    };
    await Promise.all([read('a', 1000), read('b', 1000), read('large', mebibyte)]);
    expect(seen.filter((event) => !event.startsWith('large'))).toEqual([
      'a begins',
      'a ends',
      'b begins',
      'b ends',
    ]);
    expect(seen.indexOf('large begins')).toBeLessThan(seen.indexOf('a ends'));
  });

  it('lets the next body in when one leaves without having been read', async () => {
    const { admission } = observed();
    const broken = await admission.enter(10 * mebibyte);
    const next = admission.enter(10 * mebibyte);
    broken.leave();
    (await next).leave();
  });

  it('turns away what would wait behind 256 MiB, until that has left', async () => {
    const { admission, running, begin } = observed();
    const waiting = Promise.all(
      Array.from({ length: 25 }, (_, index) => begin(String(index), 10 * mebibyte)),
    );
    await expect(admission.enter(10 * mebibyte)).rejects.toThrow(UnavailableError);
    await settled();
    while (running.size > 0) {
      for (const { end } of [...running.values()]) end();
      await settled();
    }
    await waiting;
    (await admission.enter(10 * mebibyte)).leave();
  });
});
