import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BusyTime } from '../../../lib/busy-time.ts';
import { StatementTimeoutError } from '../../../lib/errors.ts';
import type { Json } from '../../../lib/json/types.ts';
import { createLogger } from '../../../lib/logger.ts';
import type { Reaction } from '../../../lib/reactions/engine/active-reactions.ts';
import type { Reacted } from '../../../lib/reactions/engine/react.ts';
import { TimeShares } from '../../../lib/reactions/engine/time-shares.ts';
import { takeTurn } from '../../../lib/reactions/engine/turn.ts';
import { compileRuleset } from '../../../lib/reactions/match/compiled.ts';
import { isFalse, isTrue } from '../../../lib/reactions/match/evaluate.ts';
import type { CandidateSource } from '../../../lib/reactions/match/match.ts';
import { type MemoryAccount, ReactionMemory, ReserveTaken } from '../../../lib/reactions/memory.ts';
import { parseRuleset } from '../../../lib/reactions/ruleset/parse.ts';
import { matchLimits } from '../../support/reaction-bench.ts';
import { statement } from '../../support/statements.ts';

const isStored = { path: ['verb', 'id'], op: 'noteq', val: 'https://example.org/never' };

function reactionOf(
  id: string,
  conditions: Record<string, Json> = { a: isStored, b: isStored },
  template: Json = {},
): Reaction {
  const check = parseRuleset({ identityPaths: [], conditions, template }, '1.0.3');
  if ('problems' in check) throw new Error(JSON.stringify(check.problems));
  return { id, version: 1, since: 0, compiled: compileRuleset(check.ruleset) };
}

/** One that makes a statement of somewhat more than so many bytes of each trigger. */
function makingOf(id: string, bytes: number): Reaction {
  return reactionOf(id, { a: isStored }, valid(bytes));
}

function valid(bytes: number): Json {
  return {
    actor: { mbox: 'mailto:ann@example.org' },
    verb: { id: 'https://example.org/made' },
    object: { id: 'https://example.org/course' },
    result: { extensions: { 'https://example.org/padding': 'x'.repeat(bytes) } },
  };
}

/** Over ten triggers. */
async function turnOver(
  reactions: readonly Reaction[],
  {
    limits = matchLimits,
    read,
    look = () => {},
    account = new ReactionMemory(limits.reactionMaxMemory).open(),
    shares,
  }: TurnInput,
) {
  const items = Array.from({ length: 10 }, (_, index) => {
    const id = randomUUID();
    const text = JSON.stringify(statement({ id, authority: { mbox: 'mailto:lrs@example.org' } }));
    return { kind: 'statement', position: index + 1, id, text, voided: false } as const;
  });
  return takeTurn(
    items,
    { signal: new AbortController().signal, deadline: Date.now() + 30_000 },
    {
      db: { read: async () => [] } as never,
      source: { read },
      statements: {
        prepare: async () => ({ statements: [], contents: [] }),
        sizesOf: async () => new Map(),
        textsOf: async () => new Map(),
      },
      memory: account,
      storing: new BusyTime(),
      limits,
      xapiVersion: '1.0.3',
      logger: createLogger('OFF'),
      reactionsFor: () => {
        look();
        return reactions;
      },
      stops: true,
      shares,
    },
  );
}

interface TurnInput {
  readonly limits?: typeof matchLimits;
  readonly read: CandidateSource['read'];
  readonly look?: () => void;
  readonly account?: MemoryAccount;
  readonly shares?: TimeShares;
}

/**
 * A turn in which each search, and the look for the reactions to each trigger, take so many milliseconds of a clock that only they
 * move.
 */
async function turnWith(reactions: readonly Reaction[], search: number, look = 0) {
  let now = 1_000_000;
  for (const clock of [Date, performance]) vi.spyOn(clock, 'now').mockImplementation(() => now);
  return turnOver(reactions, {
    read: async () => {
      now += search;
      return { statements: [], tooLarge: false };
    },
    look: () => {
      now += look;
    },
  });
}

/** One whose conditions are what a function returns. */
function evaluatedBy(id: string, holds: () => number): Reaction {
  const { compiled, ...reaction } = reactionOf(id, { a: isStored }, valid(10));
  const conditions = compiled.conditions.map((condition) => ({ ...condition, holds }));
  return { ...reaction, compiled: { ...compiled, conditions } };
}

/** Lets time pass, also for others that do so meanwhile. */
async function passing(clock: { now: number }, milliseconds: number): Promise<void> {
  const end = clock.now + milliseconds;
  await setImmediate();
  clock.now = Math.max(clock.now, end);
}

const errorOf = (reacted: Reacted | undefined) => reacted?.failures[0]?.error;

const several = Array.from({ length: 8 }, (_, index) => reactionOf(String(index)));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a turn of reactions', () => {
  it('stops reactions that make most of a trigger, one in each turn, until the others fit into memory together', async () => {
    const heavy = Array.from({ length: 6 }, (_, index) => makingOf(`heavy ${index}`, 45_000));
    const light = Array.from({ length: 3 }, (_, index) => makingOf(`light ${index}`, 10));
    const limits = { ...matchLimits, reactionMaxCandidateBytes: 50_000 };
    vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    let left = [...heavy, ...light];
    const read = vi.fn(async () => ({ statements: [], tooLarge: false }));
    for (let turns = 0; turns < 4; turns += 1) {
      const { reacted, through } = await turnOver(left, { limits, read });
      expect(through).toBe(0);
      expect(reacted.map(({ made, failures }) => [made, failures.length])).toEqual([[[], 1]]);
      expect(errorOf(reacted[0])).toMatchObject({
        type: 'ReactionLimitError',
        message: expect.stringContaining('more than 100000 bytes together'),
      });
      expect(reacted[0]?.reaction.id).toMatch(/^heavy/);
      left = left.filter((reaction) => reaction !== reacted[0]?.reaction);
    }
    const { reacted, through } = await turnOver(left, { limits, read });
    expect(through).toBeGreaterThanOrEqual(1);
    const ofFirst = reacted.filter(({ trigger }) => trigger.position === 1);
    expect(ofFirst.map((each) => [each.reaction.id, errorOf(each)])).toEqual(
      left.map(({ id }) => [id, undefined]),
    );
  });

  it('stops the reaction that makes most of a trigger where all make more statements than a chain may have', async () => {
    const limits = { ...matchLimits, reactionMaxMatches: 1, reactionMaxChainStatements: 3 };
    const read = async () => ({ statements: [], tooLarge: false });
    const left = Array.from({ length: 4 }, (_, index) => makingOf(`making ${index}`, 10));
    const { reacted, through } = await turnOver(left, { limits, read });
    expect(through).toBe(0);
    expect(reacted).toMatchObject([
      {
        made: [],
        failures: [
          { count: 1, error: { message: expect.stringContaining('more than 3 statements together') } },
        ],
      },
    ]);
    const fewer = await turnOver(left.slice(1), { limits, read });
    expect(fewer.through).toBeGreaterThanOrEqual(1);
    expect(fewer.reacted.map(errorOf)).not.toContainEqual(expect.anything());
  });

  it.each([
    ['fulfil', 20],
    ['do not fulfil', 200],
  ])(
    'works for less than 100 ms in one turn of the event loop where triggers %s the conditions of %i reactions, and evaluates none twice',
    async (kind, count) => {
      let [now, evaluated] = [1_000_000, 0];
      for (const clock of [Date, performance]) vi.spyOn(clock, 'now').mockImplementation(() => now);
      const evaluate = (): number => {
        now += 25;
        evaluated += 1;
        return kind === 'fulfil' ? isTrue : isFalse;
      };
      const slow = Array.from({ length: count }, (_, index) => evaluatedBy(String(index), evaluate));
      let [before, longest, isOver] = [now, 0, false];
      const watch = async (): Promise<void> => {
        while (!isOver) {
          await setImmediate();
          longest = Math.max(longest, now - before);
          before = now;
        }
      };
      const watching = watch();
      const { reacted, through } = await turnOver(slow, {
        read: async () => ({ statements: [], tooLarge: false }),
      });
      isOver = true;
      await watching;
      expect(longest).toBeLessThan(100);
      expect(reacted).toHaveLength(kind === 'fulfil' ? count * through : 0);
      expect(evaluated).toBeLessThanOrEqual(count * 10);
    },
  );

  it.each([
    ['fulfil', isTrue],
    ['never fulfil', isFalse],
  ])(
    'sets aside reactions whose conditions triggers %s, after 1.1 s for all and 0.1 s for each further one, until the others are quick',
    async (_, outcome) => {
      const start = 1_000_000;
      let now = start;
      // As with any clock, some time passes between two calls.
      for (const clock of [Date, performance])
        vi.spyOn(clock, 'now').mockImplementation(() => {
          now += 0.0001;
          return now;
        });
      vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: now * 1000, system: 0 }));
      const slow = Array.from({ length: 10 }, (_, index) =>
        evaluatedBy(`slow ${index}`, () => {
          now += 600;
          return outcome;
        }),
      );
      const shares = new TimeShares(1000);
      const read = async () => ({ statements: [], tooLarge: false });
      let left = [...slow, makingOf('quick', 10)];
      const aside: string[] = [];
      let turns = 0;
      for (;;) {
        const { reacted, through } = await turnOver(left, { read, shares });
        const slowest = reacted.filter(({ isSlow }) => isSlow).map(({ reaction }) => reaction.id);
        if (slowest.length === 0) break;
        turns += 1;
        expect(through).toBe(0);
        expect(reacted).toHaveLength(slowest.length);
        aside.push(...slowest);
        left = left.filter(({ id }) => !slowest.includes(id));
      }
      expect(aside.toSorted()).toEqual(slow.map(({ id }) => id));
      // A turn waits for its rest, and for its transaction.
      expect(turns).toBeLessThanOrEqual(3);
      // Each evaluation of a condition ends before another one is interrupted.
      expect(Math.floor((now - start) / 600)).toBeLessThanOrEqual(12);
    },
  );

  it('sets aside reactions that are quick for each trigger and have too many of them, and none that waits for the processor or the database', async () => {
    const clock = { now: 1_000_000, cpu: 0 };
    for (const each of [Date, performance]) vi.spyOn(each, 'now').mockImplementation(() => clock.now);
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: clock.cpu * 1000, system: 0 }));
    const taking = (id: string, { time, cpu }: { readonly time: number; readonly cpu: number }): Reaction =>
      evaluatedBy(id, () => {
        clock.now += time;
        clock.cpu += cpu;
        return isFalse;
      });
    const planning = ((): Reaction => {
      const { compiled, ...reaction } = reactionOf('planning');
      const conditions = compiled.conditions.map(({ constraints, ...condition }) => ({
        ...condition,
        get constraints() {
          clock.now += 40;
          clock.cpu += 40;
          return constraints;
        },
      }));
      return { ...reaction, compiled: { ...compiled, conditions } };
    })();
    const busy = [taking('evaluating', { time: 40, cpu: 40 }), planning];
    const others = [
      taking('waiting for the processor', { time: 50, cpu: 5 }),
      reactionOf('waiting for the database'),
    ];
    const asideOf = async (reactions: readonly Reaction[], search: number): Promise<string[]> => {
      const shares = new TimeShares(200);
      const read = async () => {
        await passing(clock, search);
        return { statements: [], tooLarge: false };
      };
      const aside: string[] = [];
      for (let turns = 0; turns < 20; turns++) {
        const { reacted } = await turnOver(reactions, { read, shares });
        aside.push(...reacted.filter(({ isSlow }) => isSlow).map(({ reaction: { id } }) => id));
      }
      return aside;
    };
    expect(await asideOf(others, 50)).toEqual([]);
    expect(new Set(await asideOf([...others, ...busy], 1))).toEqual(new Set(['evaluating', 'planning']));
  });

  it.each([
    ['one search of 900 ms', 1, 900],
    ['40 searches of 20 ms', 40, 20],
  ])('sets aside a reaction that makes %s for each trigger', async (_, pages, search) => {
    const clock = { now: 1_000_000 };
    for (const each of [Date, performance]) vi.spyOn(each, 'now').mockImplementation(() => clock.now);
    // The first page ends before a trigger, whose position is 1 or more.
    const read: CandidateSource['read'] = async (_lookup, range) => {
      await passing(clock, search);
      const before = Math.min(0, range.before - 1);
      return { statements: [], tooLarge: false, ...(before > 1 - pages && { before }) };
    };
    const shares = new TimeShares(1000);
    const aside: string[] = [];
    for (let turns = 0; turns < 30; turns++) {
      const { reacted } = await turnOver([reactionOf('searching')], { read, shares });
      aside.push(...reacted.filter(({ isSlow }) => isSlow).map(({ reaction: { id } }) => id));
    }
    expect(aside).toContain('searching');
  });

  it('takes all triggers that it is given where they are quick', async () => {
    const one = reactionOf('one', { a: isStored }, valid(10));
    expect((await turnWith([one], 1)).through).toBe(10);
  });

  it('ends long before its time is up where triggers take long, with those that it has worked on', async () => {
    const { through } = await turnWith([reactionOf('one')], 3000);
    expect(through).toBeGreaterThanOrEqual(1);
    expect(through).toBeLessThanOrEqual(4);
  });

  it('comes further by one trigger at least where reactions to it take long', async () => {
    expect((await turnWith(several, 500)).through).toBe(1);
  });

  it('stops the slowest reaction where all reactions to its first trigger take too long, and works on it again', async () => {
    let left = several;
    for (let turns = 0; turns < several.length; turns += 1) {
      const { reacted, through } = await turnWith(left, 2500);
      if (through > 0) break;
      expect(reacted.map(({ made, failures }) => [made, failures.length])).toEqual([[[], 1]]);
      expect(errorOf(reacted[0])).toMatchObject({
        type: 'ReactionLimitError',
        message: expect.stringMatching(/^All reactions to one trigger take more than 20 s together/),
      });
      left = left.filter((reaction) => reaction !== reacted[0]?.reaction);
      expect(left.length).toBeLessThan(several.length);
    }
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(several.length);
  });

  it('stops a reaction whose statements take too long to make, and tells which statements its error may quote', async () => {
    const texts = Array.from({ length: 40 }, () =>
      JSON.stringify(statement({ id: randomUUID(), verb: { id: 'https://example.org/other' } })),
    );
    const statements = texts.map((text, index) => ({ position: index - 100, text }));
    const read = async () => ({ statements, tooLarge: false });
    const isOther = { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/other' };
    const making = reactionOf('making', { a: isStored, b: isOther }, { id: 'no UUID' });
    let now = 1_000_000;
    for (const clock of [Date, performance]) vi.spyOn(clock, 'now').mockImplementation(() => now);
    const turnAt = (millisecondsEach: number) =>
      turnOver([making], {
        read,
        limits: {
          ...matchLimits,
          // It is asked for whenever a statement was made or was not.
          get reactionMaxCandidateBytes() {
            now += millisecondsEach;
            return matchLimits.reactionMaxCandidateBytes;
          },
        },
      });
    const quick = await turnAt(0);
    expect(errorOf(quick.reacted[0])).toMatchObject({ type: 'ReactionInvalidStatementError' });
    const { failures = [], trigger } = quick.reacted[0] ?? {};
    expect(failures).toHaveLength(40);
    expect(failures[0]?.ids).toContain(trigger?.id);
    expect(new Set(failures[0]?.ids).size).toBe(2);
    const slow = await turnAt(2000);
    expect(slow.reacted[0]?.failures).toMatchObject([{ count: 1, error: { type: 'ReactionLimitError' } }]);
  });

  it('goes on behind a trigger on which a single reaction takes too long, which fails', async () => {
    const { reacted, through } = await turnWith([reactionOf('one')], 30_000);
    expect(reacted.map((each) => errorOf(each))).toMatchObject([
      {
        type: 'ReactionLimitError',
        message: expect.stringMatching(/^The reaction takes more than 20 s for one trigger\./),
      },
    ]);
    expect(through).toBeGreaterThanOrEqual(1);
  });

  it('ends in time where it takes long to find triggers, with those that it has found', async () => {
    const { through } = await turnWith([reactionOf('one')], 1, 1000);
    expect(through).toBeGreaterThanOrEqual(1);
    expect(through).toBeLessThan(10);
  });

  it('stops a reaction whose search the database ends, and goes on behind its trigger', async () => {
    const read = () => Promise.reject(new StatementTimeoutError('It took too long.'));
    const { reacted, through } = await turnOver([reactionOf('one')], { read });
    expect(reacted.map((each) => errorOf(each)?.message)).toEqual([
      expect.stringContaining('connection.dbTransactionTimeout'),
    ]);
    expect(through).toBeGreaterThanOrEqual(1);
  });

  it('is given up before its time is over where other turns have the memory, and stops no reaction for that', async () => {
    vi.useFakeTimers();
    const limits = { ...matchLimits, reactionMaxMemory: 8_388_608 };
    const memory = new ReactionMemory(limits.reactionMaxMemory);
    const other = memory.open();
    await other.share(true).take(memory.reserve);
    const dense = Array(2000).fill({});
    const text = JSON.stringify(
      statement({ id: randomUUID(), result: { extensions: { 'https://example.org/dense': dense } } }),
    );
    const statements = Array.from({ length: 40 }, (_, index) => ({ position: index - 100, text }));
    const start = Date.now();
    const turn = turnOver([reactionOf('one')], {
      limits,
      read: async () => {
        await new Promise((resolve) => setTimeout(resolve, 19_000));
        return { statements, tooLarge: false };
      },
      account: memory.open(),
    });
    const outcome = turn.catch((error: unknown) => ({ error, after: Date.now() - start }));
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await outcome).toMatchObject({ error: expect.any(ReserveTaken), after: 27_000 });
  });

  it('stops a reaction whose search does not end, before the time of the turn is over', async () => {
    vi.useFakeTimers();
    const turn = turnOver([reactionOf('one')], { read: () => new Promise(() => {}) });
    await vi.advanceTimersByTimeAsync(25_000);
    const { reacted, through } = await turn;
    expect(reacted.map((each) => errorOf(each)?.type)).toEqual(['ReactionLimitError']);
    expect(through).toBe(1);
  });

  it('stops a reaction whose statements take more memory than one may, and holds no statement when it has ended', async () => {
    const dense = JSON.stringify(
      statement({
        id: randomUUID(),
        result: { extensions: { 'https://example.org/dense': Array(2000).fill({}) } },
      }),
    );
    const found = (count: number) => async () => ({
      statements: Array.from({ length: count }, (_, index) => ({ position: index - 100, text: dense })),
      tooLarge: false,
    });
    const limits = { ...matchLimits, reactionMaxMemory: 8_388_608 };
    const memory = new ReactionMemory(limits.reactionMaxMemory);
    const account = memory.open();
    const one = reactionOf('one', { a: isStored, b: isStored }, valid(10));
    const fitting = await turnOver([one], { limits, read: found(5), account });
    expect(fitting.through).toBe(10);
    expect(fitting.reacted.map(errorOf)).not.toContainEqual(expect.anything());
    const { trigger, made = [] } = fitting.reacted[0] ?? {};
    expect(Object.keys(trigger ?? {})).toEqual(['id', 'position']);
    expect([...(made[0]?.match.values() ?? [])].map((each) => Object.keys(each))).toEqual([['id'], ['id']]);
    account.close();
    expect(memory.takeShared(limits.reactionMaxMemory / 4, memory.open({ goesFirst: true }))).toBe(true);
    const tooMuch = await turnOver([one], { limits, read: found(40) });
    expect(tooMuch.reacted.map((each) => errorOf(each)?.message)).toEqual([
      expect.stringContaining('lrs.reactionMaxMemory'),
    ]);
  });
});
