import type { WriteSession } from '../../db/types.ts';
import type { Logger } from '../../logger.ts';
import type { Position } from '../../statements/types.ts';
import type { StatementMaker } from '../../statements/within.ts';
import { idTaken } from '../failure.ts';
import { selectStored } from '../store/erased-ids.ts';
import type { NewFiring } from '../store/firing-rows.ts';
import { addToReplay, longestFailure } from '../store/reaction-rows.ts';
import { addReplayProblems } from '../store/replay-problems.ts';
import { setAside } from '../store/slow-reactions.ts';
import { stopReaction } from '../store/store.ts';
import type { MatchLimits, ReactionError } from '../types.ts';
import { Admission, type Admitted } from './admission.ts';
import type { CountedChains } from './chain-room.ts';
import type { Failure } from './failures.ts';
import { matchedIds, missingIds, type Part, Parts } from './parts.ts';
import type { Made, Reacted } from './react.ts';
import { insertCounted, Tallies } from './tallies.ts';

/** The services that write an effect. */
export interface EffectOptions {
  readonly statements: Pick<StatementMaker, 'storeWithin'>;
  readonly logger: Logger;
  readonly limits: MatchLimits;
  /** The chains of all that is to be stored. */
  readonly counted: CountedChains;
  /** Whether an error stops the reaction. */
  readonly stops: boolean;
}

/** What is written in one transaction, and the ids of the statements that it depends on, each once. */
export interface WrittenTogether {
  readonly concernedIds: readonly string[];
  /** The ids of statements that are still to be missing, because more is to be done where they are stored. */
  readonly missingIds: readonly string[];
  /**
   * May be called again after a rollback.
   * @param gone those of the ids whose statements were voided or erased since they were read: what depends on them is left out.
   */
  write(session: WriteSession, gone: ReadonlySet<string>): Promise<void>;
}

/** What turns of reactions write: statements, what they came about by, counters, and reactions that have failed or are slow. */
export class ReactionEffect implements WrittenTogether {
  readonly #options: EffectOptions;
  readonly #reacted: readonly Reacted[];
  readonly #parts: Parts;
  #last: Part | undefined;
  readonly #admission: Admission;
  /** What came of each part. One that is repeated replaces what came of it before. */
  readonly #outcomes = new Map<Part, PartOutcome>();

  constructor(reacted: readonly Reacted[], options: EffectOptions) {
    this.#options = options;
    this.#reacted = reacted;
    this.#parts = new Parts(reacted);
    this.#admission = new Admission(options);
  }

  /** Whether there is nothing to write. */
  get isEmpty(): boolean {
    return this.#reacted.length === 0;
  }

  /** What `write` stores: it is found once the other parts are written. */
  get #lastPart(): Part {
    if (this.#last === undefined) throw new Error('The parts of the effect are not written yet.');
    return this.#last;
  }

  /** The ids of all statements that the last part or a failure depends on, each once. */
  get concernedIds(): string[] {
    const failed = this.#reacted.flatMap(({ failures }) => failures.flatMap(({ ids }) => ids));
    return [...new Set([...matchedIds(this.#lastPart.pieces), ...failed])];
  }

  get missingIds(): string[] {
    return missingIds(this.#lastPart.pieces);
  }

  /**
   * Statements that are written before `write`, in order and in separate transactions, when they are too many for one: each is
   * found once the one before is committed. Errors, counters of failures, and stopping reactions, are left to `write`.
   */
  *parts(): Generator<WrittenTogether, void, undefined> {
    let part = this.#parts.next();
    for (; !part.isLast; part = this.#parts.next()) {
      const now = part;
      let stored: readonly NewFiring[] = [];
      yield {
        concernedIds: [...new Set(matchedIds(now.pieces))],
        missingIds: missingIds(now.pieces),
        write: async (session, gone) => {
          stored = await this.#writePart(session, now, gone);
          await insertCounted(session, stored, { tallies: new Tallies(), isReplay: !this.#options.stops });
        },
      };
      this.#parts.note(now, new Set(stored.map(({ statementId }) => statementId)));
    }
    this.#last = part;
  }

  async write(session: WriteSession, gone: ReadonlySet<string>): Promise<void> {
    const firings = await this.#writePart(session, this.#lastPart, gone);
    const erased = await this.#erased(session, gone);
    const failed = this.#reacted.flatMap((whole): Stopped | [] => {
      const failures = whole.failures.filter((failure) => {
        const left = isLimit(failure) ? erased : gone;
        return !failure.ids.some((id) => left.has(id));
      });
      const [first] = failures;
      if (first === undefined) return [];
      return { whole, failed: failures.reduce((sum, { count }) => sum + count, 0), error: first.error };
    });
    const { stops } = this.#options;
    const outcomes = [...this.#outcomes.values()];
    const refused = outcomes.flatMap((outcome) => outcome.refused);
    const stopped = stops ? upToFirst([...failed, ...refused]) : failed;
    const conflicts = outcomes.flatMap((outcome) => outcome.conflicts);
    const tallies = talliesOf([...conflicts, ...stopped]);
    await insertCounted(session, firings, { tallies, isReplay: !stops });
    for (const { reaction, trigger, isSlow } of this.#reacted)
      if (isSlow) await setAside(session, reaction.id, trigger.position - 1);
    if (stops) await stopAll(session, stopped);
    else await noteInReplay(session, [...failed, ...conflicts], refused);
  }

  /** Those of the statements that exceeded limits that are not only voided. */
  async #erased(session: WriteSession, gone: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const failures = this.#reacted.flatMap((whole) => whole.failures.filter(isLimit));
    const ids = new Set(failures.flatMap((failure) => failure.ids).filter((id) => gone.has(id)));
    if (ids.size === 0) return ids;
    for (const id of await selectStored(session, ids)) ids.delete(id);
    return ids;
  }

  /** Stores the statements of a part. @returns what is to be inserted for them. */
  async #writePart(session: WriteSession, part: Part, gone: ReadonlySet<string>): Promise<NewFiring[]> {
    const admitted = await this.#admission.admit(session, part.pieces, gone);
    const { firings, conflicts } = await this.#store(session, admitted);
    this.#outcomes.set(part, { conflicts, refused: admitted.flatMap(refusalOf) });
    return firings;
  }

  async #store(session: WriteSession, admitted: readonly Admitted[]): Promise<Stored> {
    const all = admitted.flatMap(({ whole, made }) => made.map((each) => ({ whole, made: each })));
    const [firings, conflicts]: [NewFiring[], Stopped[]] = [[], []];
    if (all.length === 0) return { firings, conflicts };
    const outcomes = await this.#options.statements.storeWithin(
      session,
      all.map(({ made }) => made.batch),
    );
    for (const [index, { whole, made }] of all.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof Error) {
        conflicts.push({ whole, failed: 1, error: idTaken(made.id).stored });
        const { logger } = this.#options;
        logger.warn(
          { err: outcome, reaction: whole.reaction.id },
          'a statement of a reaction could not be stored',
        );
        continue;
      }
      const position = outcome?.get(made.id);
      if (position !== undefined) firings.push(firingOf(whole, made, position));
    }
    return { firings, conflicts };
  }
}

/**
 * Whether a limit was exceeded. That stops the reaction even if its trigger was voided meanwhile: otherwise a client that voids
 * each such trigger would have the reaction do as much work as is permitted, again and again, while the others wait.
 */
function isLimit({ error }: Failure): boolean {
  return error.type === 'ReactionLimitError';
}

interface PartOutcome {
  /** Statements whose ids others have. */
  readonly conflicts: readonly Stopped[];
  readonly refused: readonly Stopped[];
}

/** Why matches of a reaction have failed, and how many; it may stop the reaction. */
interface Stopped {
  readonly whole: Reacted;
  readonly failed: number;
  readonly error: ReactionError;
}

interface Stored extends Pick<PartOutcome, 'conflicts'> {
  readonly firings: NewFiring[];
}

function refusalOf({ whole, refused, refusal }: Admitted): Stopped | [] {
  return refusal === undefined ? [] : { whole, failed: refused, error: refusal };
}

/** What the failures add to the counters. What stops a reaction comes last, so that its counters tell of the same. */
function talliesOf(failures: readonly Stopped[]): Tallies {
  const tallies = new Tallies();
  const time = Date.now() * 1000;
  for (const { whole, failed, error } of failures) {
    const message = error.message.slice(0, longestFailure);
    const lastFailure = { ...error, message, triggerId: whole.trigger.id, time };
    tallies.add(whole.reaction, { failed, lastFailure });
  }
  return tallies;
}

/** Counts what is refused, and notes why that and other matches made no statement. All are of the reaction that is replayed. */
async function noteInReplay(
  session: WriteSession,
  failed: readonly Stopped[],
  refused: readonly Stopped[],
): Promise<void> {
  const problems = [...failed, ...refused];
  const noted = problems.map(({ whole, error }) => ({ error, triggerId: whole.trigger.id }));
  const [first] = problems;
  if (first === undefined) return;
  const { id } = first.whole.reaction;
  await addToReplay(session, { id, refused: refused.reduce((sum, each) => sum + each.failed, 0) });
  await addReplayProblems(session, id, noted);
}

/** Of each reaction what the first trigger has caused: it stops the reaction, so nothing more comes of it. */
function upToFirst(all: readonly Stopped[]): Stopped[] {
  const first = new Map<string, Reacted>();
  const inOrder = all.toSorted((one, other) => one.whole.trigger.position - other.whole.trigger.position);
  return inOrder.filter(({ whole }) => {
    const stopping = first.get(whole.reaction.id) ?? whole;
    first.set(whole.reaction.id, stopping);
    return stopping === whole;
  });
}

async function stopAll(session: WriteSession, stopped: readonly Stopped[]): Promise<void> {
  for (const { whole, error } of stopped) {
    const { reaction, trigger } = whole;
    await stopReaction(session, reaction, {
      error,
      triggerId: trigger.id,
      stopped: trigger.position - 1,
    });
  }
}

function firingOf({ reaction, trigger, chainStart }: Reacted, made: Made, position: Position): NewFiring {
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
