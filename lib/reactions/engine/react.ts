import { UnavailableError } from '../../errors.ts';
import { Pauses } from '../../in-turns.ts';
import type { Logger } from '../../logger.ts';
import type { Position } from '../../statements/types.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import { ReactionFailure } from '../failure.ts';
import { type GeneratedStatement, generate } from '../generate/generate.ts';
import { MatchBudget } from '../match/budget.ts';
import { type CandidateSource, matchesOf } from '../match/match.ts';
import type { Match, Participant } from '../match/participant.ts';
import type { MatchLimits, ReactionError } from '../types.ts';
import type { Reaction } from './active-reactions.ts';
import { AllowanceUsedUp } from './allowance.ts';
import type { History } from './history.ts';

/** A statement that a match makes. */
export interface Made extends GeneratedStatement {
  readonly match: Match;
}

/** What a trigger causes in a reaction. */
export interface Reacted {
  readonly reaction: Reaction;
  readonly trigger: Participant;
  /** The position of the statement that began the chain. */
  readonly chainStart: Position;
  readonly made: readonly Made[];
  /** How many matches made no statement. */
  readonly failed: number;
  /** Why; the reaction is to be stopped. */
  readonly error: ReactionError | undefined;
  /** The ids of the statements that the error may quote. */
  readonly quoted: readonly string[];
}

export interface ReactOptions {
  readonly source: CandidateSource;
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
  /** @throws AllowanceUsedUp when no time is left for it. */
  readonly requireTime: () => void;
}

/**
 * What a trigger causes in a reaction; nothing in one that had a part in how the trigger came about.
 * @throws UnavailableError when the database does not answer, AllowanceUsedUp; all other failures are the reaction's.
 */
export async function react(
  reaction: Reaction,
  { statement, history, requireTime }: Trigger,
  options: ReactOptions,
): Promise<Reacted> {
  const { reactions, chainStart = statement.position } = history;
  const nothing = {
    reaction,
    trigger: statement,
    chainStart,
    made: [],
    failed: 0,
    error: undefined,
    quoted: [],
  };
  if (reactions.includes(reaction.id)) return nothing;
  try {
    requireTime();
    const { source, limits } = options;
    const context = { source, budget: new MatchBudget(limits, requireTime) };
    const matches = await matchesOf(reaction.compiled, statement, context);
    if (matches.length === 0) return nothing;
    // A replay is refused the same each time, which is not counted.
    if (!options.stops && isLongChain(history, limits)) return nothing;
    requireShortChain(history, limits);
    return { ...nothing, ...(await make(reaction, statement, { matches, requireTime, options })) };
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof AllowanceUsedUp) throw error;
    const stored = storedError(error, { reaction, trigger: statement, ...options });
    return { ...nothing, failed: 1, error: stored, quoted: [statement.id] };
  }
}

function isLongChain({ reactions }: History, { reactionMaxChain }: MatchLimits): boolean {
  return reactions.length >= reactionMaxChain;
}

function requireShortChain(history: History, limits: MatchLimits): void {
  if (!isLongChain(history, limits)) return;
  const { reactionMaxChain: most } = limits;
  throw new ReactionFailure(
    'ReactionLimitError',
    `The trigger was made by a chain of reactions, each triggered by the one before, which is as long as it may be: ${most} (lrs.reactionMaxChain).`,
  );
}

interface Work extends Pick<Trigger, 'requireTime'> {
  readonly matches: readonly Match[];
  readonly options: ReactOptions;
}

/**
 * A match that fails does not prevent the others; where all are too large together, none makes a statement.
 * @throws AllowanceUsedUp
 */
async function make(
  reaction: Reaction,
  trigger: Participant,
  { matches, requireTime, options }: Work,
): Promise<Pick<Reacted, 'made' | 'failed' | 'error' | 'quoted'>> {
  const { limits, xapiVersion, logger } = options;
  const { id, version, compiled } = reaction;
  const maker = {
    id,
    version,
    ruleset: compiled.ruleset,
    xapiVersion,
    maxBytes: limits.reactionStatementMaxBytes,
  };
  const pauses = new Pauses();
  const made: Made[] = [];
  let bytes = 0;
  let failed = 0;
  let first: unknown;
  let quoted: readonly string[] = [];
  const stored = (error: unknown) => storedError(error, { reaction, trigger, logger });
  for (const match of matches) {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    requireTime();
    try {
      const statement = generate(maker, match, trigger);
      bytes += statement.bytes;
      made.push({ ...statement, match });
    } catch (error) {
      failed += 1;
      if (first === undefined) quoted = [trigger.id, ...Array.from(match.values(), ({ id }) => id)];
      first ??= error;
    }
    if (bytes > limits.reactionMaxCandidateBytes)
      return { made: [], failed: matches.length, error: stored(tooManyBytes(limits)), quoted: [trigger.id] };
  }
  return { made, failed, error: first === undefined ? undefined : stored(first), quoted };
}

function tooManyBytes({ reactionMaxCandidateBytes: most }: MatchLimits): ReactionFailure {
  return new ReactionFailure(
    'ReactionLimitError',
    `One trigger makes statements of more than ${most} bytes together (lrs.reactionMaxCandidateBytes), so none of them is stored.`,
  );
}

/** In place of the message of an error that nobody has foreseen, which may be the database's. */
const unforeseen =
  'The server failed to evaluate the reaction, for instance because the database refused a query. The log of the server has the details.';

function storedError(
  error: unknown,
  { reaction, trigger, logger }: Pick<Reacted, 'reaction' | 'trigger'> & Pick<ReactOptions, 'logger'>,
): ReactionError {
  if (error instanceof ReactionFailure) return error.stored;
  logger.error(
    { err: error, reaction: reaction.id, trigger: trigger.id },
    'a reaction has failed unexpectedly',
  );
  return new ReactionFailure('ReactionQueryError', unforeseen, 'server').stored;
}
