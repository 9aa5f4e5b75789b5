import type { Logger } from '../../logger.ts';
import { ReactionFailure } from '../failure.ts';
import type { Match, Participant } from '../match/participant.ts';
import type { ReactionError } from '../types.ts';
import type { Reaction } from './active-reactions.ts';

/** Matches that make no statement, all for one reason. */
export interface Failure {
  /** The ids of the statements that have failed, and that the error may quote. */
  readonly ids: readonly string[];
  /** How many matches these are. */
  readonly count: number;
  readonly error: ReactionError;
}

/** The errors that are kept of one trigger, because each may be long. */
const mostErrors = 20;

/** Collects the matches of a trigger that make no statement. */
export class Failures {
  readonly all: Failure[] = [];
  readonly #reaction: Reaction;
  readonly #trigger: Participant;
  readonly #logger: Logger;
  /** By message. */
  readonly #errors = new Map<string, ReactionError>();

  /** @param options `logger` is told of errors whose messages are not for operators. */
  constructor(reaction: Reaction, trigger: Participant, { logger }: { readonly logger: Logger }) {
    this.#reaction = reaction;
    this.#trigger = trigger;
    this.#logger = logger;
  }

  add(match: Match, error: unknown): void {
    const ids = [this.#trigger.id, ...Array.from(match.values(), ({ id }) => id)];
    this.all.push({ ids: [...new Set(ids)], count: 1, error: this.#stored(error) });
  }

  #stored(error: unknown): ReactionError {
    const message = String(error);
    const known = this.#errors.get(message);
    if (known !== undefined) return known;
    if (this.#errors.size >= mostErrors)
      return { type: typeOf(error), message: 'A match of the trigger makes no statement, as others do.' };
    const stored = storedError(error, {
      reaction: this.#reaction,
      trigger: this.#trigger,
      logger: this.#logger,
    });
    this.#errors.set(message, stored);
    return stored;
  }
}

/** In place of the message of an error that nobody has foreseen, which may be the database's. */
const unforeseen =
  'The server failed to evaluate the reaction, for instance because the database refused a query. The log of the server has the details.';

interface Cause {
  readonly reaction: Reaction;
  readonly trigger: Pick<Participant, 'id'>;
  readonly logger: Logger;
}

/** An error as it is stored with the reaction; one that nobody has foreseen is logged. */
export function storedError(error: unknown, { reaction, trigger, logger }: Cause): ReactionError {
  if (error instanceof ReactionFailure) return error.stored;
  logger.error(
    { err: error, reaction: reaction.id, trigger: trigger.id },
    'a reaction has failed unexpectedly',
  );
  return new ReactionFailure('ReactionQueryError', unforeseen, 'server').stored;
}

function typeOf(error: unknown): ReactionError['type'] {
  return error instanceof ReactionFailure ? error.type : 'ReactionQueryError';
}
