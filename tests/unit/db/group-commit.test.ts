import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../../lib/db/group-commit.ts';
import { TooLargeError, UnavailableError } from '../../../lib/errors.ts';

/** A group commit that notes its groups; a request is its weight, and negative ones can't be written. */
function noting(
  group = { entries: 10, size: 100 },
  light = { entries: 100, size: 100 },
  failure: Error = new Error('poisoned'),
) {
  const groups: number[][] = [];
  const commits = new GroupCommit<number, number>({
    async write(group) {
      groups.push([...group]);
      await sleep(1);
      if (group.some((request) => request < 0)) throw failure;
      return group.map((request) =>
        request === 13
          ? { status: 'rejected', reason: new Error('unlucky') }
          : { status: 'fulfilled', value: request * 2 },
      );
    },
    weigh: (request) => ({ entries: Math.abs(request), size: 1 }),
    limits: { group, light },
  });
  return { groups, commits };
}

describe('group commit', () => {
  it('writes the requests of a group one by one when something is too large, so that only that is refused', async () => {
    const { groups, commits } = noting(undefined, undefined, new TooLargeError('too large'));
    const answers = await Promise.allSettled([commits.submit(1), commits.submit(-2), commits.submit(3)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(groups).toEqual([[1, -2, 3], [1], [-2], [3]]);
  });

  it('writes what arrives together together, and what arrives meanwhile next', async () => {
    const { groups, commits } = noting();
    const first = [commits.submit(1), commits.submit(2)];
    await sleep(0);
    while (groups.length === 0) await sleep(0);
    const next = [commits.submit(3), commits.submit(4)];
    expect(await Promise.all([...first, ...next])).toEqual([2, 4, 6, 8]);
    expect(groups).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('writes the next group as soon as the commit of one is sent, and answers each when it is known', async () => {
    const events: string[] = [];
    let sendSecond = (): void => {};
    const secondSent = new Promise<void>((resolve) => {
      sendSecond = resolve;
    });
    const commits = new GroupCommit<number, number>({
      async write(group, next) {
        events.push(`write ${group}`);
        events.push(`sent ${group}`);
        next();
        if (group[0] === 2) sendSecond();
        await (group[0] === 1 ? secondSent : expect.poll(() => events).toContain('answer 1'));
        events.push(`known ${group}`);
        return group.map((value) => ({ status: 'fulfilled', value }));
      },
      weigh: () => ({ entries: 1, size: 1 }),
      limits: { group: { entries: 1, size: 10 }, light: { entries: 1, size: 10 } },
    });
    await Promise.all([1, 2].map(async (request) => events.push(`answer ${await commits.submit(request)}`)));
    const order = ['write 1', 'sent 1', 'write 2', 'sent 2', 'known 1', 'answer 1', 'known 2', 'answer 2'];
    expect(events).toEqual(order);
  });

  it('keeps groups within their limits, in the order of arrival, and lets a larger request go alone', async () => {
    const { groups, commits } = noting();
    await Promise.all([6, 4, 1, 50, 9, 1].map((request) => commits.submit(request)));
    expect(groups).toEqual([[6, 4], [1], [50], [9, 1]]);
  });

  it('lets light requests go before heavy ones, and one heavy request after each group of them', async () => {
    const { groups, commits } = noting({ entries: 10, size: 100 }, { entries: 2, size: 100 });
    const all = [5, 5, 1, 5, 1, 1].map((request) => commits.submit(request));
    while (groups.length < 2) await sleep(0);
    all.push(commits.submit(2));
    await Promise.all(all);
    expect(groups).toEqual([[1, 1, 1], [5], [2], [5], [5]]);
  });

  it('writes heavy requests together when there are no light ones', async () => {
    const { groups, commits } = noting({ entries: 10, size: 100 }, { entries: 2, size: 100 });
    await Promise.all([5, 5, 5].map((request) => commits.submit(request)));
    expect(groups).toEqual([[5, 5], [5]]);
  });

  it('limits the size as well', async () => {
    const { groups, commits } = noting({ entries: 100, size: 2 });
    await Promise.all([1, 1, 1].map((request) => commits.submit(request)));
    expect(groups).toEqual([[1, 1], [1]]);
  });

  it('gives each request its own answer', async () => {
    const { commits } = noting({ entries: 100, size: 100 });
    const outcomes = await Promise.allSettled([1, 13, 2].map((request) => commits.submit(request)));
    expect(outcomes).toMatchObject([{ value: 2 }, { reason: new Error('unlucky') }, { value: 4 }]);
  });

  it('tries the requests of a failed group one by one, so that only the cause fails', async () => {
    const { groups, commits } = noting();
    const outcomes = await Promise.allSettled([1, -2, 3].map((request) => commits.submit(request)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(groups).toEqual([[1, -2, 3], [1], [-2], [3]]);
    expect(await commits.submit(5)).toBe(10);
  });

  it('fails a whole group at once when the database is unavailable', async () => {
    const { groups, commits } = noting(undefined, undefined, new UnavailableError('busy'));
    const outcomes = await Promise.allSettled([1, -2, 3].map((request) => commits.submit(request)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(groups).toHaveLength(1);
  });
});
