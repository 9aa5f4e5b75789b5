import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FeedTurn } from '../../../lib/feed/types.ts';
import { slowReactionConsumer } from '../../../lib/reactions/consumer.ts';
import type { ActiveSet, Reaction } from '../../../lib/reactions/engine/active-reactions.ts';
import { Dispatch } from '../../../lib/reactions/engine/dispatch.ts';
import { Returns } from '../../../lib/reactions/engine/returns.ts';
import { slowHandler } from '../../../lib/reactions/engine/slow-handler.ts';
import type { TriggerTime } from '../../../lib/reactions/engine/time-shares.ts';
import { compileRuleset } from '../../../lib/reactions/match/compiled.ts';

const compiled = compileRuleset({ identityPaths: [], conditions: new Map(), template: {} });
const reaction: Reaction = { id: 'one', version: 1, since: 0, compiled };
const current: ActiveSet = { epoch: 1, dispatch: new Dispatch(), slow: new Map([['one', new Dispatch()]]) };
const items = [{ kind: 'erasure', position: 1, statements: [] }] as const;
const turn = { consumer: slowReactionConsumer('one') } as FeedTurn;

let now = 1_000_000;

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Whether the reaction may return after a second of turns that take so long (ms), of which it works for a part. */
async function returnsAfter(takes: number, works: number): Promise<boolean> {
  const handler = slowHandler(
    { current, refresh: async () => {} },
    new Returns(),
    async (_, __, { shares }) => {
      const time: TriggerTime = shares.begin();
      now += takes;
      time.spend(reaction, works);
      return { through: 1 };
    },
  );
  const start = now;
  while (now - start <= 1000 + takes) await handler.handle(items, turn);
  return (await handler.handle(items, turn)).write !== undefined;
}

it('a slow reaction returns after turns in which it has worked for a usual time, however long it has waited for other work', async () => {
  expect(await returnsAfter(500, 90)).toBe(true);
  expect(await returnsAfter(500, 400)).toBe(false);
});
