import { UnavailableError } from '../../errors.ts';
import { FeedTurnAborted } from '../../feed/types.ts';
import type { Pausing } from '../../in-turns.ts';
import type { Logger } from '../../logger.ts';
import type { Position } from '../../statements/types.ts';
import type { PreparedBatch, StatementMaker, StoredSize } from '../../statements/within.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import { ReactionFailure } from '../failure.ts';
import { type GeneratedStatement, generate } from '../generate/generate.ts';
import { Sources } from '../generate/sources.ts';
import { MatchBudget } from '../match/budget.ts';
import { type CandidateSource, type Held, matchesOf } from '../match/match.ts';
import type { Match, MatchedIds, Participant } from '../match/participant.ts';
import { type MemoryShare, MemoryUsedUp, mostForTrigger } from '../memory.ts';
import type { MatchLimits, ReactionError } from '../types.ts';
import type { Reaction } from './active-reactions.ts';
import { AllowanceUsedUp, ShareUsedUp } from './allowance.ts';
import { type Failure, Failures, storedError } from './failures.ts';
import type { History } from './history.ts';
import { type WriteCost, WriteCosts } from './write-costs.ts';

/** A statement that a match makes, ready to be stored. */
export interface Made extends Pick<GeneratedStatement, 'id' | 'bytes' | 'heap'>, WriteCost {
  readonly match: MatchedIds;
  readonly batch: PreparedBatch;
}

/** What a trigger causes in a reaction. It holds no statements, because it waits until it is written. */
export interface Reacted {
  readonly reaction: Reaction;
  readonly trigger: Pick<Participant, 'id' | 'position'>;
  /** The position of the statement that began the chain. */
  readonly chainStart: Position;
  readonly made: readonly Made[];
  /** Where there are some, the reaction is to be stopped. */
  readonly failures: readonly Failure[];
  /** Why a replay stores none of the statements: the chain is too long. */
  readonly refusal?: ReactionError;
  /** Whether the others are not to wait for it: it is to go on alone, with this trigger. */
  readonly isSlow?: boolean;
}

export interface ReactOptions {
  readonly source: CandidateSource;
  readonly statements: Pick<StatementMaker, 'prepare' | 'sizesOf' | 'textsOf'>;
  readonly limits: MatchLimits;
  /** Of what is made. */
  readonly xapiVersion: XapiVersion;
  /** Is told of errors whose messages are not for operators. */
  readonly logger: Logger;
  /** Whether what fails stops the reaction. */
  readonly stops: boolean;
}

/** A trigger, how it came about, and what it shares among reactions. */
export interface Trigger {
  readonly statement: Participant;
  readonly history: History;
  /** What the conditions are for it, where that is known. */
  readonly held: Held | undefined;
  /** Of the turn. */
  readonly pauses: Pausing;
  /** @throws AllowanceUsedUp when no time is left for it, ShareUsedUp when none is left for the reaction. */
  readonly requireTime: () => void;
  /** Waits for a search no longer than there is time. @throws AllowanceUsedUp, ShareUsedUp */
  readonly within: <T>(search: Promise<T>) => Promise<T>;
  /** Is told for how long (ms) the processor has worked on it. */
  readonly spendTime: (milliseconds: number) => void;
  /** What is taken from it and not given back belongs to the statements that are made. */
  readonly memory: MemoryShare;
  /** How many bytes of memory the statements take that other reactions have made of it. */
  readonly madeBefore: number;
}

/** All reactions to one trigger make statements that take more memory than they may, together with this one. */
export class MadeTooMuch extends Error {
  override readonly name = 'MadeTooMuch';
  readonly reaction: Reaction;
  /** The bytes of memory that the statements of this one take so far. */
  readonly heap: number;

  constructor(reaction: Reaction, heap: number) {
    super('The reactions to one trigger make too much.');
    this.reaction = reaction;
    this.heap = heap;
  }
}

/**
 * What a trigger causes in a reaction; nothing in one that had a part in how the trigger came about.
 * @throws UnavailableError when the database does not answer, FeedTurnAborted, AllowanceUsedUp, ShareUsedUp, MemoryUsedUp,
 *   MadeTooMuch; all other failures are the reaction's.
 */
export async function react(reaction: Reaction, trigger: Trigger, options: ReactOptions): Promise<Reacted> {
  const { statement, history, held, pauses, requireTime, spendTime, memory } = trigger;
  const { id, position } = statement;
  const nothing = {
    reaction,
    trigger: { id, position },
    chainStart: history.chainStart ?? position,
    made: [],
    failures: [],
  };
  if (history.reactions.includes(reaction.id)) return nothing;
  const before = memory.taken;
  let kept = 0;
  try {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    requireTime();
    const { limits } = options;
    const source: CandidateSource = {
      read: (lookup, range) => trigger.within(options.source.read(lookup, range)),
    };
    const budget = new MatchBudget(limits, { memory, requireTime, spendTime });
    const matches = await matchesOf(reaction.compiled, statement, { source, budget, pauses, held });
    if (matches.length === 0) return nothing;
    const refusal = refusalOf(history, limits);
    if (refusal !== undefined && options.stops) throw refusal;
    // A replay counts those that are not stored, so it has to know them.
    const { heap, ...result } = await make(reaction, trigger, { matches, budget, options });
    kept = heap;
    return { ...nothing, ...result, ...(refusal && { refusal: refusal.stored }) };
  } catch (error) {
    if (isOfTurn(error)) throw error;
    const stored = storedError(error, { reaction, trigger: statement, ...options });
    return { ...nothing, failures: [{ ids: [id], count: 1, error: stored }] };
  } finally {
    memory.give(memory.taken - before - kept);
  }
}

/** Whether an error ends the turn, or the work on the trigger, in place of the reaction. */
function isOfTurn(error: unknown): boolean {
  const kinds = [UnavailableError, FeedTurnAborted, AllowanceUsedUp, ShareUsedUp, MemoryUsedUp, MadeTooMuch];
  return kinds.some((kind) => error instanceof kind);
}

function refusalOf(
  { reactions }: History,
  { reactionMaxChain: most }: MatchLimits,
): ReactionFailure | undefined {
  if (reactions.length < most) return undefined;
  return new ReactionFailure(
    'ReactionLimitError',
    `The trigger was made by a chain of reactions, each triggered by the one before, which is as long as it may be: ${most} (lrs.reactionMaxChain).`,
    'chain',
  );
}

interface Work {
  readonly matches: readonly Match[];
  /** Of the search that has found them. */
  readonly budget: MatchBudget;
  readonly options: ReactOptions;
}

/**
 * A match that fails does not prevent the others; where all are too large together, none makes a statement.
 * @throws AllowanceUsedUp, ShareUsedUp, MadeTooMuch, and the errors of `MatchBudget.keep`.
 */
async function make(
  reaction: Reaction,
  { statement: trigger, pauses, requireTime, within, memory, madeBefore }: Trigger,
  { matches, budget, options }: Work,
): Promise<Pick<Reacted, 'made' | 'failures'> & { readonly heap: number }> {
  const { limits, xapiVersion, statements } = options;
  const { id, version, compiled } = reaction;
  const maker = {
    id,
    version,
    ruleset: compiled.ruleset,
    xapiVersion,
    maxBytes: limits.reactionStatementMaxBytes,
  };
  const sources = new Sources(budget);
  const failures = new Failures(reaction, trigger, options);
  const costs = new WriteCosts();
  const made: Omit<Made, keyof WriteCost>[] = [];
  const givenIds = new Set<string>();
  let bytes = 0;
  let heap = 0;
  for (const match of matches) {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    requireTime();
    try {
      const matched = await sources.of(match);
      const generated = budget.measured(() => generate(maker, match, { trigger, sources: matched }));
      const { incoming, authority } = generated;
      const batch = await budget.measured(() =>
        statements.prepare({
          ...{ statements: [incoming], attachments: [], authority },
          version: xapiVersion,
        }),
      );
      bytes += generated.bytes;
      heap += generated.heap;
      if (madeBefore + heap > mostForTrigger(limits)) throw new MadeTooMuch(reaction, heap);
      const room = memory.take(generated.heap);
      if (room !== undefined) await room;
      budget.measured(() => costs.note(batch, match));
      made.push({ ...sizesOf(generated), match: idsOf(match), batch });
      if (generated.idIsGiven) givenIds.add(generated.id);
    } catch (error) {
      if (isOfTurn(error)) throw error;
      failures.add(match, error);
    }
    if (bytes > limits.reactionMaxCandidateBytes) {
      const error = tooManyBytes(limits).stored;
      return { made: [], failures: [{ ids: [trigger.id], count: matches.length, error }], heap: 0 };
    }
  }
  const stored = {
    sizesOf: (ids: readonly string[]) => within(statements.sizesOf(ids)),
    textsOf: (ids: readonly string[]) => within(statements.textsOf(ids)),
  };
  await costs.measure(stored, async (count) => {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    requireTime();
    return budget.measured(count);
  });
  const taken = givenIds.size === 0 ? undefined : await stored.sizesOf([...givenIds]);
  return {
    made: made.map((each) => ({ ...each, ...withTaken(costs.costOf(each.batch), each.id, taken) })),
    failures: failures.all,
    heap,
  };
}

/**
 * Adds the stored statement that has the id, if there is one: it is read and compared.
 * @param taken by id, the sizes of such statements.
 */
function withTaken(
  cost: WriteCost,
  id: string,
  taken: ReadonlyMap<string, StoredSize> | undefined,
): WriteCost {
  const size = taken?.get(id);
  return size === undefined ? cost : { ...cost, targets: [...cost.targets, { id, bytes: size.bytes }] };
}

function sizesOf({ id, bytes, heap }: GeneratedStatement): Pick<Made, 'id' | 'bytes' | 'heap'> {
  return { id, bytes, heap };
}

function idsOf(match: Match): MatchedIds {
  return new Map(Array.from(match, ([name, { id }]) => [name, { id }] as const));
}

function tooManyBytes({ reactionMaxCandidateBytes: most }: MatchLimits): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `One trigger makes statements of more than ${most} bytes together (lrs.reactionMaxCandidateBytes), so none of them is stored.`,
  );
}
