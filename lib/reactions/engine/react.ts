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
  /** How many bytes stored statements have more than those that would have their ids: they are read and compared. */
  readonly takenBytes?: number;
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
    await pauseOf(trigger)();
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
): Promise<Pick<Reacted, 'made' | 'failures' | 'takenBytes'> & { readonly heap: number }> {
  const { limits, xapiVersion, statements } = options;
  const { id, version, compiled } = reaction;
  const maker = {
    id,
    version,
    ruleset: compiled.ruleset,
    xapiVersion,
    maxBytes: limits.reactionStatementMaxBytes,
  };
  const beforeStep = pauseOf({ pauses, requireTime });
  const sources = new Sources(budget, pauses);
  const failures = new Failures(reaction, trigger, options);
  const costs = new WriteCosts();
  const made: Omit<Made, keyof WriteCost>[] = [];
  const givenIds = new Set<string>();
  const nothing = ({ stored: error }: ReactionFailure) => {
    return { made: [], failures: [{ ids: [trigger.id], count: matches.length, error }], heap: 0 };
  };
  let bytes = 0;
  let heap = 0;
  for (const match of matches) {
    await beforeStep();
    try {
      const matched = await sources.of(match);
      await beforeStep();
      const generated = budget.measured(() => generate(maker, match, { trigger, sources: matched }));
      const { incoming, authority } = generated;
      await beforeStep();
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
    if (bytes > limits.reactionMaxCandidateBytes) return nothing(tooManyBytes(limits));
  }
  const stored = {
    sizesOf: (ids: readonly string[]) => within(statements.sizesOf(ids)),
    textsOf: (ids: readonly string[], bytes: number) => within(statements.textsOf(ids, bytes)),
  };
  const taken = givenIds.size === 0 ? undefined : await stored.sizesOf([...givenIds]);
  const takenBytes = bytesTaken(made, taken);
  if (takenBytes > limits.reactionMaxCandidateBytes) return nothing(tooManyTaken(limits));
  await costs.measure(stored, async (count) => {
    await beforeStep();
    return budget.measured(count);
  });
  return {
    made: made.map((each) => {
      return { ...each, ...withTaken(costs.costOf(each.batch), each.id, { taken, givenIds }) };
    }),
    failures: failures.all,
    takenBytes,
    heap,
  };
}

/** What is awaited before each step of the work: a statement may have so many values that one takes long. */
function pauseOf({ pauses, requireTime }: Pick<Trigger, 'pauses' | 'requireTime'>): () => Promise<void> {
  return async () => {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    requireTime();
  };
}

/** By their ids, the sizes of stored statements that have the ids of those that are made; undefined where no id is given. */
type Taken = ReadonlyMap<string, StoredSize> | undefined;

/** How many bytes they have more, each once. What a reaction has made before has none. */
function bytesTaken(made: readonly Pick<Made, 'id' | 'batch'>[], taken: Taken): number {
  if (taken === undefined) return 0;
  const further = new Map<string, number>();
  for (const { id, batch } of made) {
    const { bytes = 0 } = taken.get(id) ?? {};
    further.set(id, Math.max(0, bytes - lengthOf(batch)));
  }
  return [...further.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function lengthOf({ statements }: PreparedBatch): number {
  return statements.reduce((sum, { text }) => sum + text.length, 0);
}

interface GivenIds {
  readonly taken: Taken;
  /** Those that a transaction may find taken since; of statements with one id, only the first is to look for another one. */
  readonly givenIds: Set<string>;
}

/** Adds the stored statement that has the id, or may have it yet: it is read and compared. */
function withTaken(cost: WriteCost, id: string, { taken, givenIds }: GivenIds): WriteCost {
  const bytes = taken?.get(id)?.bytes ?? (givenIds.delete(id) ? 0 : undefined);
  if (bytes === undefined) return cost;
  return { ...cost, targets: [...cost.targets, { id, bytes, voidedEntries: 0 }] };
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

function tooManyTaken({ reactionMaxCandidateBytes: most }: MatchLimits): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `Stored statements have the ids that the template gives to the statements of one trigger, and to compare these with them, more than ${most} bytes must be read (lrs.reactionMaxCandidateBytes), so none of them is stored. Let the template take ids that no statement has, or no id.`,
  );
}
