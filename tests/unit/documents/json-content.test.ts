import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { JsonContentScanner } from '../../../lib/documents/json-content.ts';
import { InvalidError } from '../../../lib/errors.ts';

const large = Buffer.from(`[${'1,'.repeat(500_000)}1]`);

/** How often others had their turn on the event loop meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  while (!ended) {
    await setImmediate();
    turns += 1;
  }
  await end;
  return turns;
}

describe('scanning JSON contents', () => {
  it('lets others have their turn, the more often the larger the contents are', async () => {
    const scanner = new JsonContentScanner();
    expect(await turnsDuring(scanner.scan(large, 0))).toBeGreaterThan(25);
    const several = Promise.all([1, 2, 3].map(() => scanner.scan(large, 0)));
    expect(await turnsDuring(several)).toBeGreaterThan(75);
  });

  it('goes on with the next one when one is no JSON', async () => {
    const scanner = new JsonContentScanner();
    const broken = scanner.scan(large.subarray(0, -1), 0);
    const good = scanner.scan(large, 0);
    await expect(broken).rejects.toThrow(InvalidError);
    await expect(good).resolves.toBeDefined();
  });
});
