import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FeedTurn } from '../../../lib/feed/types.ts';
import { slowReactionConsumer } from '../../../lib/reactions/consumer.ts';
import type { ActiveSet, Reaction } from '../../../lib/reactions/engine/active-reactions.ts';
import { Dispatch } from '../../../lib/reactions/engine/dispatch.ts';
import { Returns } from '../../../lib/reactions/engine/returns.ts';
import { slowHandler } from '../../../lib/reactions/engine/slow-handler.ts';
import { compileRuleset } from '../../../lib/reactions/match/compiled.ts';

const compiled = compileRuleset({ identityPaths: [], conditions: new Map(), template: {} });
const reaction: Reaction = { id: 'one', version: 1, since: 0, compiled };
const current: ActiveSet = {
  epoch: 1,
  dispatch: new Dispatch(),
  slow: new Map([['one', { reaction, dispatch: new Dispatch() }]]),
};
const items = [{ kind: 'erasure', position: 1, statements: [] }] as const;
const turn = { consumer: slowReactionConsumer('one') } as FeedTurn;

let now = 1_000_000;

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Whether the reaction may return after two seconds of turns with one trigger that take so long (ms), of which it works for a part. */
async function returnsAfter(takes: number, works: number): Promise<boolean> {
  const handler = slowHandler(
    { current, refresh: async () => {} },
    new Returns(),
    async (_, __, { shares }) => {
      now += takes;
      shares.begin().spend(reaction, works);
      return { through: 1 };
    },
  );
  const start = now;
  while (now - start <= 2000 + takes) await handler.handle(items, turn);
  return (await handler.handle(items, turn)).write !== undefined;
}

it.each([
  [true, 500, 10],
  [true, 500, 59],
  [true, 20, 11],
  [false, 500, 120],
  [false, 100, 40],
  [false, 20, 15],
])(
  'that a slow reaction may return is %s where a trigger takes %i ms, of which it works for %i ms',
  async (returns, takes, works) => {
    expect(await returnsAfter(takes, works)).toBe(returns);
  },
);

it('a slow reaction is offered a turn without items once it has not been slow for a second, and then only returns', async () => {
  const serve = vi.fn(async () => ({ through: 1 }));
  const handler = slowHandler({ current, refresh: async () => {} }, new Returns(), serve);
  const { consumer } = turn;
  expect(handler.wantsIdleTurn?.(consumer)).toBe(false);
  expect((await handler.handle([], turn)).write).toBeUndefined();
  now += 999;
  expect(handler.wantsIdleTurn?.(consumer)).toBe(false);
  now += 1;
  expect(handler.wantsIdleTurn?.(consumer)).toBe(true);
  expect((await handler.handle([], turn)).write).toBeDefined();
  expect(serve).not.toHaveBeenCalled();
});

it('a process that has not looked for slow reactions yet takes a turn without items, to learn of them', async () => {
  const active = {
    current: { ...current, epoch: undefined, slow: new Map() } as ActiveSet,
    refresh: vi.fn(),
  };
  active.refresh.mockImplementation(async () => {
    active.current = current;
  });
  const handler = slowHandler(active, new Returns(), async () => ({ through: 1 }));
  expect(handler.wantsIdleTurn?.(turn.consumer)).toBe(true);
  expect(await handler.handle([], turn)).toEqual({ through: 0 });
  expect(handler.wantsIdleTurn?.(turn.consumer)).toBe(false);
});
