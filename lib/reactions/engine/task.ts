import { ReactionFailure } from '../failure.ts';
import type { Participant } from '../match/participant.ts';
import type { MatchLimits } from '../types.ts';
import type { Reaction } from './active-reactions.ts';
import { Allowance, AllowanceUsedUp } from './allowance.ts';
import type { History } from './history.ts';
import { type Reacted, type ReactOptions, react } from './react.ts';

/** A statement that some reactions may be triggered by. */
export interface Task {
  readonly trigger: Participant;
  readonly reactions: readonly Reaction[];
}

export interface TaskResult {
  /** What has come about; nothing of it is empty. */
  readonly found: readonly Reacted[];
  /** Whether all reactions were tried. If not, one of them has failed, and the trigger is to be worked on again. */
  readonly isDone: boolean;
}

export interface TaskOptions extends ReactOptions {
  readonly history: History;
  /** Whether it is worked on to its end in any case: no other task has to be done before. */
  readonly isFirst: boolean;
  /** Whether another reaction may begin; asked only when it is not the first. */
  readonly mayGoOn: () => boolean;
  readonly hasStopped: (reaction: Reaction) => boolean;
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
 * and nothing else counts, so that the others are done when the trigger is worked on again.
 * @returns undefined when another one is to be done before.
 */
export async function runTask(
  { trigger, reactions }: Task,
  { history, isFirst, mayGoOn, hasStopped, ...options }: TaskOptions,
): Promise<TaskResult | undefined> {
  const allowance = new Allowance(isFirst ? longest : longestOfOthers);
  const { requireTime } = allowance;
  const most = mostMade(options.limits, isFirst);
  const found: Reacted[] = [];
  const failing = (
    reaction: Reaction | undefined,
    { stored: error }: ReactionFailure,
  ): TaskResult | undefined => {
    if (!isFirst || reaction === undefined) return undefined;
    const { chainStart = trigger.position } = history;
    const failure = { reaction, trigger, chainStart, made: [], failed: 1, error, quoted: [trigger.id] };
    return { found: [failure], isDone: reactions.length === 1 };
  };
  let [bytes, statements] = [0, 0];
  try {
    for (const reaction of reactions) {
      if (hasStopped(reaction)) continue;
      if (!isFirst && !mayGoOn()) return undefined;
      const each = await allowance.measured(reaction, () =>
        react(reaction, { statement: trigger, history, requireTime }, options),
      );
      if (each.made.length > 0 || each.failed > 0) found.push(each);
      bytes += bytesOf(each);
      statements += each.made.length;
      if (bytes > most.bytes) return failing(mostOf(found, bytesOf), tooLarge(most));
      if (statements > most.statements) return failing(mostOf(found, countOf), tooMany(most));
    }
    return { found, isDone: true };
  } catch (reason) {
    if (!(reason instanceof AllowanceUsedUp)) throw reason;
    return failing(allowance.slowest, tooSlow());
  }
}

/** How many bytes of statements came about. */
export function bytesOf({ made }: Reacted): number {
  return made.reduce((sum, { bytes }) => sum + bytes, 0);
}

function countOf({ made }: Reacted): number {
  return made.length;
}

/** The reaction that makes most. */
function mostOf(found: readonly Reacted[], size: (reacted: Reacted) => number): Reaction | undefined {
  return found.toSorted((a, b) => size(b) - size(a))[0]?.reaction;
}

function tooMany({ statements }: MostMade): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `All reactions to one trigger make more than ${statements} statements together (lrs.reactionMaxChainStatements), and this one makes most. Let its conditions name more of what the statements have in common, or pause other reactions.`,
  );
}

function tooLarge({ bytes }: MostMade): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `All reactions to one trigger make statements of more than ${bytes} bytes together (${timesOneReaction} times lrs.reactionMaxCandidateBytes), and this one makes most. Make smaller or fewer statements, or pause other reactions.`,
  );
}

function tooSlow(): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `All reactions to one trigger take more than ${longest / 1000} s together, and this one takes longest. Use fewer comparisons by \`like\`, let the conditions name more of what the statements have in common, or pause other reactions.`,
  );
}
