import { StatementTimeoutError } from '../../errors.ts';
import { FeedTurnAborted } from '../../feed/types.ts';
import type { Pausing } from '../../in-turns.ts';
import { ReactionFailure } from '../failure.ts';
import type { Held } from '../match/match.ts';
import type { Participant } from '../match/participant.ts';
import { type MemoryAccount, type MemoryShare, MemoryUsedUp, mostForTrigger } from '../memory.ts';
import type { MatchLimits, ReactionError } from '../types.ts';
import type { Reaction } from './active-reactions.ts';
import { Allowance, AllowanceUsedUp, ShareUsedUp } from './allowance.ts';
import type { History } from './history.ts';
import { LastPart, mostInLast } from './parts.ts';
import { MadeTooMuch, type Reacted, type ReactOptions, react } from './react.ts';
import { type TriggerTime, usualOfEach } from './time-shares.ts';

/** A reaction that a statement may trigger. */
export interface Triggered {
  readonly reaction: Reaction;
  /** What its conditions are for the statement; undefined where they were not evaluated. */
  readonly held: Held | undefined;
}

/** A statement that some reactions may be triggered by. */
export interface Task {
  readonly trigger: Participant;
  readonly reactions: readonly Triggered[];
  /** What they take while others wait, with what it took to find them; undefined where none waits. */
  readonly time: TriggerTime | undefined;
}

export interface TaskResult {
  /** What has come about; nothing of it is empty. */
  readonly found: readonly Reacted[];
  /** Whether all reactions were tried. If not, one of them has failed, and the trigger is to be worked on again. */
  readonly isDone: boolean;
  /** What is found takes so much memory (bytes). */
  readonly heap: number;
  /** Gives that memory back, where what is found is not written. */
  readonly discard: () => void;
}

export interface TaskOptions extends ReactOptions {
  readonly history: History;
  /** Of the turn, so that its tasks share the turns of the event loop with other work. */
  readonly pauses: Pausing;
  /** Of the turn, which has nothing when it is aborted. */
  readonly signal: AbortSignal;
  /** Of the turn. */
  readonly memory: MemoryAccount;
  /** Whether it is worked on to its end in any case: no other task has to be done before. */
  readonly isFirst: boolean;
  /** Whether another reaction may begin; asked only when it is not the first. */
  readonly mayGoOn: () => boolean;
  readonly hasStopped: (reaction: Reaction) => boolean;
  /** How long (ms) the task may take, the time included for which it waits for memory and for other work. */
  readonly latest: number;
}

/**
 * How long (ms) all reactions to the first trigger may work together. A turn begins its last triggers after 5 s, and has 30 s: some
 * are left to write what has come about.
 */
const longest = 20_000;
/** The same for those that are worked on beside it, and may be worked on again. */
const longestOfOthers = 10_000;
/**
 * So many times what one reaction may make of a trigger (bytes), all reactions to the first trigger may make together; those that
 * are worked on beside it, once. It all is in memory until it is written.
 */
const timesOneReaction = 2;

/** What all reactions to one trigger may make together. */
interface MostMade {
  readonly bytes: number;
  readonly statements: number;
}

/** Of more statements than a chain may have, some could not be stored. A single reaction may make as many as it has matches. */
function mostMade(
  { reactionMaxCandidateBytes, reactionMaxMatches, reactionMaxChainStatements }: MatchLimits,
  isFirst: boolean,
): MostMade {
  return isFirst
    ? {
        bytes: timesOneReaction * reactionMaxCandidateBytes,
        statements: Math.max(reactionMaxMatches, reactionMaxChainStatements),
      }
    : { bytes: reactionMaxCandidateBytes, statements: reactionMaxMatches };
}

/**
 * Tries reactions on a trigger. When they take too long or make too much together, the one that takes longest or makes most fails
 * and nothing else counts, so that the others are done when the trigger is worked on again. So it is when they hold up others for
 * too long, where the slowest ones are set aside.
 * @returns undefined when another one is to be done before, or there is no memory for it until the turn has ended.
 */
export async function runTask(
  { trigger, reactions, time }: Task,
  options: TaskOptions,
): Promise<TaskResult | undefined> {
  const { history, isFirst, mayGoOn, hasStopped } = options;
  const { allowance, pauses } = timeFor(time, options);
  const { requireTime, within, spendTime } = allowance;
  const memory = options.memory.share(isFirst, allowance.waiting);
  const most = mostMade(options.limits, isFirst);
  const found: Reacted[] = [];
  const givenUp = (): undefined => void memory.give(memory.taken);
  const only = (found: readonly Reacted[], isDone: boolean): TaskResult | undefined => {
    givenUp();
    return isFirst && found.length > 0 ? { ...resultOf(found, memory), isDone } : undefined;
  };
  const failing = (reaction: Reaction | undefined, { stored }: ReactionFailure): TaskResult | undefined =>
    only(failureOf(reaction, { trigger, history }, stored), reactions.length === 1);
  const cause = { statement: trigger, history, pauses, requireTime, within, spendTime, memory };
  const tryOne = ({ reaction, held }: Triggered, mayWork?: number): Promise<Reacted> => {
    const madeBefore = memory.taken;
    const work = () => react(reaction, { ...cause, held, madeBefore }, options);
    return allowance.measured(reaction, work, mayWork);
  };
  const settingAside = async (rest: readonly Triggered[]): Promise<TaskResult | undefined> => {
    givenUp();
    if (!isFirst || time === undefined) return undefined;
    const others = rest.filter(({ reaction }) => !hasStopped(reaction));
    const slow = await slowAmong(others, time, (each) => tryOne(each, usualOfEach).finally(givenUp));
    return only(
      slow.map((reaction) => ({ ...nothingOf(reaction, { trigger, history }), isSlow: true })),
      false,
    );
  };
  let [bytes, statements, tried] = [0, 0, 0];
  try {
    for (const triggered of reactions) {
      tried += 1;
      if (hasStopped(triggered.reaction)) continue;
      if (!isFirst && !mayGoOn()) return givenUp();
      const each = await tryOne(triggered);
      found.push(each);
      bytes += bytesOf(each);
      statements += each.made.length;
      if (bytes > most.bytes) return failing(mostOf(found, bytesOf), tooLarge(most));
      if (statements > most.statements) return failing(mostOf(found, countOf), tooMany(most));
    }
    const last = new LastPart();
    last.add(found);
    if (!last.isSmall) return failing(last.mostOf, tooManyVoided());
    return resultOf(found, memory);
  } catch (reason) {
    if (reason instanceof MemoryUsedUp) return givenUp();
    if (reason instanceof ShareUsedUp) return settingAside(reactions.slice(tried));
    if (reason instanceof MadeTooMuch) return failing(mostWith(found, reason), tooMuchMemory(options.limits));
    return failing(allowance.slowest, endOf(reason, reactions.length === 1));
  }
}

/**
 * The reactions to set aside when the time that others wait for them is used up. The trigger is worked on again, so the rest of
 * the reactions to it are tried only to learn which of them take long, too: one in each turn would hold up the others for long.
 * @throws FeedTurnAborted
 */
async function slowAmong(
  rest: readonly Triggered[],
  time: TriggerTime,
  tryOne: (triggered: Triggered) => Promise<unknown>,
): Promise<Reaction[]> {
  const slow = new Set(time.takeSlowest());
  for (const triggered of rest) {
    if (slow.has(triggered.reaction)) continue;
    try {
      await tryOne(triggered);
    } catch (reason) {
      if (reason instanceof FeedTurnAborted) throw reason;
      if (!(reason instanceof ShareUsedUp)) break;
      slow.add(triggered.reaction);
    }
  }
  return [...slow];
}

/** The time for a task. One that is worked on beside the first one ends in time for it, however long it has paused for others. */
function timeFor(
  time: TriggerTime | undefined,
  { signal, latest, isFirst, pauses }: TaskOptions,
): { readonly allowance: Allowance; readonly pauses: Pausing } {
  const allowance = new Allowance(isFirst ? longest : longestOfOthers, { signal, time, latest });
  return { allowance, pauses: allowance.pausing(pauses, { isFree: isFirst }) };
}

/** Why reactions to one trigger have come to no end. @throws `reason`, where it is no failure of a reaction. */
function endOf(reason: unknown, isAlone: boolean): ReactionFailure {
  if (reason instanceof StatementTimeoutError) return timedOut();
  if (reason instanceof AllowanceUsedUp) return tooSlow(isAlone);
  throw reason;
}

function resultOf(all: readonly Reacted[], memory: MemoryShare): TaskResult {
  const found = all.filter(({ made, failures, isSlow }) => made.length > 0 || failures.length > 0 || isSlow);
  return { found, isDone: true, heap: memory.taken, discard: () => memory.give(memory.taken) };
}

interface Cause {
  readonly trigger: Participant;
  readonly history: History;
}

function failureOf(reaction: Reaction | undefined, cause: Cause, error: ReactionError): Reacted[] {
  if (reaction === undefined) return [];
  const failures = [{ ids: [cause.trigger.id], count: 1, error }];
  return [{ ...nothingOf(reaction, cause), failures }];
}

function nothingOf(
  reaction: Reaction,
  { trigger: { id, position }, history: { chainStart = position } }: Cause,
): Reacted {
  return { reaction, trigger: { id, position }, chainStart, made: [], failures: [] };
}

/** How many bytes of statements came about, and are to be read because their ids are taken. */
export function bytesOf({ made, takenBytes = 0 }: Reacted): number {
  return made.reduce((sum, { bytes }) => sum + bytes, takenBytes);
}

function countOf({ made }: Reacted): number {
  return made.length;
}

/** The reaction that makes most. */
function mostOf(found: readonly Reacted[], size: (reacted: Reacted) => number): Reaction | undefined {
  return found.toSorted((a, b) => size(b) - size(a))[0]?.reaction;
}

/** The same, together with one that is not at its end. */
function mostWith(found: readonly Reacted[], { reaction, heap }: MadeTooMuch): Reaction {
  const others = found.toSorted((a, b) => heapOf(b) - heapOf(a));
  const [most] = others;
  return most !== undefined && heapOf(most) > heap ? most.reaction : reaction;
}

function heapOf({ made }: Reacted): number {
  return made.reduce((sum, { heap }) => sum + heap, 0);
}

function tooMuchMemory(limits: MatchLimits): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `All reactions to one trigger make statements that take more than ${mostForTrigger(limits)} bytes of memory together (three eighths of lrs.reactionMaxMemory), and this one makes most. Make smaller or fewer statements, or pause other reactions.`,
  );
}

function tooMany({ statements }: MostMade): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `All reactions to one trigger make more than ${statements} statements together (lrs.reactionMaxChainStatements), and this one makes most. Let its conditions name more of what the statements have in common, or pause other reactions.`,
  );
}

function tooManyVoided(): ReactionFailure {
  const { statements, bytes, indexEntries, targetBytes } = mostInLast;
  return new ReactionFailure(
    'ReactionLimitError',
    `Of one trigger, reactions make more than ${statements} statements, or ${bytes} bytes of them, or change more than ${indexEntries} entries of the search index or read more than ${targetBytes} bytes by those, that void what other matches of the trigger depend on, and this one makes most. Such statements are stored together, while every other writer waits. Let each match void a statement of its own, or fewer statements match.`,
  );
}

function tooLarge({ bytes }: MostMade): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `All reactions to one trigger make statements, or have ids of stored ones, of more than ${bytes} bytes together (${timesOneReaction} times lrs.reactionMaxCandidateBytes), and this one makes most. Make smaller or fewer statements, or pause other reactions.`,
  );
}

function timedOut(): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    'The database has ended the search for what matches a trigger, because it took too long (connection.dbTransactionTimeout). Let the conditions name more of what the statements have in common.',
    'candidates',
  );
}

function tooSlow(isAlone: boolean): ReactionFailure {
  const advice =
    'Use fewer comparisons by `like`, let the conditions name more of what the statements have in common';
  return new ReactionFailure(
    'ReactionLimitError',
    isAlone
      ? `The reaction takes more than ${longest / 1000} s for one trigger. ${advice}, or use fewer conditions.`
      : `All reactions to one trigger take more than ${longest / 1000} s together, and this one takes longest. ${advice}, or pause other reactions.`,
    'evaluation',
  );
}
