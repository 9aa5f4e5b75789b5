import type { WriteSession } from '../../db/types.ts';
import type { Logger } from '../../logger.ts';
import type { Position } from '../../statements/types.ts';
import type { StatementMaker } from '../../statements/within.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import { ReactionFailure } from '../failure.ts';
import type { NewFiring } from '../store/firing-rows.ts';
import { addReplayProblems } from '../store/replay-problems.ts';
import { stopReaction } from '../store/store.ts';
import type { MatchLimits, ReactionError } from '../types.ts';
import { Admission, type Admitted } from './admission.ts';
import { matchedIds, type Pending, type Piece, type Prepared, partsOf } from './parts.ts';
import type { Made, Reacted } from './react.ts';
import { insertCounted, Tallies } from './tallies.ts';

/** The services that write an effect. */
export interface EffectOptions {
  readonly statements: StatementMaker;
  readonly xapiVersion: XapiVersion;
  readonly logger: Logger;
  readonly limits: MatchLimits;
  /** Whether an error stops the reaction. */
  readonly stops: boolean;
}

/** What is written in one transaction, and the ids of the statements that must still be stored at that time, each once. */
export interface WrittenTogether {
  readonly concernedIds: readonly string[];
  /** May be called again after a rollback. */
  write(session: WriteSession): Promise<void>;
}

/** What turns of reactions write: statements, what they came about by, counters, and reactions that have failed. */
export class ReactionEffect implements WrittenTogether {
  readonly #options: EffectOptions;
  readonly #prepared: readonly Prepared[];
  /** What is written before `write`. */
  readonly #before: readonly (readonly Piece[])[];
  readonly #admission: Admission;

  private constructor(options: EffectOptions, prepared: readonly Prepared[]) {
    this.#options = options;
    this.#prepared = prepared;
    this.#before = partsOf(prepared).slice(0, -1);
    this.#admission = new Admission(options);
  }

  /** Does everything that needs no transaction. */
  static async of(reacted: readonly Reacted[], options: EffectOptions): Promise<ReactionEffect> {
    const { statements, xapiVersion: version } = options;
    const prepared: Prepared[] = [];
    for (const { made: all, ...each } of reacted) {
      const pending: Pending[] = [];
      for (const made of all) {
        const { incoming, authority } = made;
        const batch = await statements.prepare({
          statements: [incoming],
          attachments: [],
          authority,
          version,
        });
        pending.push({ made, batch });
      }
      prepared.push({ ...each, pending });
    }
    return new ReactionEffect(options, prepared);
  }

  /** Whether there is nothing to write. */
  get isEmpty(): boolean {
    return this.#prepared.every(({ pending, failed }) => pending.length === 0 && failed === 0);
  }

  /** The ids of all statements that are matched, or that errors may quote, each once. */
  get concernedIds(): string[] {
    return [...new Set([...matchedIds(this.#prepared), ...this.#prepared.flatMap(({ quoted }) => quoted)])];
  }

  /**
   * Statements that are written before `write`, in order and in separate transactions, when they are too many for one;
   * `write` skips those that are stored. Errors, and stopping reactions, are left to it.
   */
  get parts(): WrittenTogether[] {
    return this.#before.map((pieces) => ({
      concernedIds: [...new Set(matchedIds(pieces))],
      write: (session) => this.#writePart(session, pieces),
    }));
  }

  async write(session: WriteSession): Promise<void> {
    const begun = new Set(this.#before.flatMap((pieces) => pieces.map(({ whole }) => whole)));
    const admitted = await this.#admission.admit(
      session,
      this.#prepared.map((whole) => ({ whole, pending: whole.pending, isFirst: !begun.has(whole) })),
    );
    const tallies = new Tallies();
    for (const { whole, refused } of admitted)
      tallies.add(whole.reaction, { failed: whole.failed + refused });
    const { firings, conflicts } = await this.#store(session, admitted);
    for (const { reaction, error } of conflicts) {
      const { logger } = this.#options;
      logger.warn({ err: error, reaction: reaction.id }, 'a statement of a reaction could not be stored');
      tallies.add(reaction, { failed: 1 });
    }
    const { stops } = this.#options;
    await insertCounted(session, firings, { tallies, isReplay: !stops });
    if (stops) await stopFailed(session, admitted);
    else await noteProblems(session, [...admitted.flatMap(problemOf), ...conflicts.map(conflictOf)]);
  }

  async #writePart(session: WriteSession, pieces: readonly Piece[]): Promise<void> {
    const { firings } = await this.#store(session, await this.#admission.admit(session, pieces));
    await insertCounted(session, firings, { tallies: new Tallies(), isReplay: !this.#options.stops });
  }

  async #store(session: WriteSession, admitted: readonly Admitted[]): Promise<Stored> {
    const all = admitted.flatMap(({ whole: from, pending }) => pending.map((each) => ({ from, ...each })));
    const [firings, conflicts]: [NewFiring[], Conflict[]] = [[], []];
    if (all.length === 0) return { firings, conflicts };
    const outcomes = await this.#options.statements.storeWithin(
      session,
      all.map(({ batch }) => batch),
    );
    for (const [index, { from, made }] of all.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof Error) {
        conflicts.push({ ...from, error: outcome });
        continue;
      }
      const position = outcome?.get(made.id);
      if (position !== undefined) firings.push(firingOf(from, made, position));
    }
    return { firings, conflicts };
  }
}

/** A statement whose id another statement has. */
interface Conflict extends Pick<Reacted, 'reaction' | 'trigger'> {
  readonly error: Error;
}

interface Stored {
  readonly firings: readonly NewFiring[];
  readonly conflicts: readonly Conflict[];
}

/** A failure in a replay. */
interface Problem extends Pick<Reacted, 'reaction' | 'trigger'> {
  readonly error: ReactionError;
}

function problemOf({ whole: { reaction, trigger, error } }: Admitted): Problem | [] {
  return error === undefined ? [] : { reaction, trigger, error };
}

function conflictOf({ reaction, trigger, error: { message } }: Conflict): Problem {
  const { stored } = new ReactionFailure('ReactionTemplateError', message, 'id-taken');
  return { reaction, trigger, error: stored };
}

/** All are of the reaction that is replayed. */
async function noteProblems(session: WriteSession, problems: readonly Problem[]): Promise<void> {
  const noted = problems.map(({ error, trigger }) => ({ error, triggerId: trigger.id }));
  for (const { reaction } of problems.slice(0, 1)) await addReplayProblems(session, reaction.id, noted);
}

async function stopFailed(session: WriteSession, admitted: readonly Admitted[]): Promise<void> {
  for (const { whole, refusal } of admitted) {
    const { reaction, trigger, error = refusal } = whole;
    if (error !== undefined)
      await stopReaction(session, reaction, {
        error,
        triggerId: trigger.id,
        stopped: trigger.position - 1,
      });
  }
}

function firingOf({ reaction, trigger, chainStart }: Prepared, made: Made, position: Position): NewFiring {
  return {
    statementId: made.id,
    reactionId: reaction.id,
    version: reaction.version,
    triggerId: trigger.id,
    triggerPosition: trigger.position,
    chainStart,
    position,
    matched: Object.fromEntries(Array.from(made.match, ([name, { id }]) => [name, id])),
  };
}
