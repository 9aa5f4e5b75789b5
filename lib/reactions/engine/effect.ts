import type { WriteSession } from '../../db/types.ts';
import type { Logger } from '../../logger.ts';
import type { Position } from '../../statements/types.ts';
import type { PreparedBatch, StatementMaker } from '../../statements/within.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import { derivedId } from '../generate/generate.ts';
import { type Firing, insertFirings, type NewFiring, selectMade } from '../store/firing-rows.ts';
import { addToCounters, type Tally } from '../store/reaction-rows.ts';
import { stopReaction } from '../store/store.ts';
import type { MatchLimits } from '../types.ts';
import type { Reaction } from './active-reactions.ts';
import { ChainRoom } from './chain-room.ts';
import type { Made, Reacted } from './react.ts';

/** A statement that is ready to be stored, and by what it came about. */
interface Pending {
  readonly made: Made;
  readonly batch: PreparedBatch;
}

/** What a trigger causes in a reaction, ready to be stored. */
interface Prepared extends Omit<Reacted, 'made'> {
  readonly pending: readonly Pending[];
}

/** What an effect is written with. */
export interface EffectOptions {
  readonly statements: StatementMaker;
  readonly xapiVersion: XapiVersion;
  readonly logger: Logger;
  readonly limits: MatchLimits;
  /** Whether what fails stops the reaction. */
  readonly stops: boolean;
}

/** What is written together, and the ids of the statements that must still be stored then, each once. */
export interface WrittenTogether {
  readonly concernedIds: readonly string[];
  /** May be called again when the transaction was rolled back. */
  write(session: WriteSession): Promise<void>;
}

/** How much one transaction stores: it holds the write lock for some 50 ms. */
const mostTogether = { statements: 500, bytes: 2_097_152 } as const;

/** What turns of reactions write: statements, what they came about by, counters, and reactions that have failed. */
export class ReactionEffect implements WrittenTogether {
  readonly #options: EffectOptions;
  readonly #prepared: readonly Prepared[];

  private constructor(options: EffectOptions, prepared: readonly Prepared[]) {
    this.#options = options;
    this.#prepared = prepared;
  }

  /** Does all that can be done outside of the transaction. */
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
   * Statements that are written before `write`, in their order and in a transaction each, where they are too many for one;
   * `write` leaves out those that are stored. What fails and what stops a reaction is left to it.
   */
  get parts(): WrittenTogether[] {
    const refused = new Set<string>();
    return partsOf(this.#prepared)
      .slice(0, -1)
      .map((slice) => ({
        concernedIds: [...new Set(matchedIds(slice))],
        write: (session) => this.#writePart(session, slice, refused),
      }));
  }

  async write(session: WriteSession): Promise<void> {
    const permitted = await this.#withinChains(session, await this.#unmade(session, this.#prepared));
    const tallies = new Tallies();
    for (const { reaction, failed } of permitted) tallies.add(reaction, { failed });
    const { firings, conflicts } = await this.#store(session, permitted);
    for (const { reaction, error } of conflicts) {
      const { logger } = this.#options;
      logger.warn({ err: error, reaction: reaction.id }, 'a statement of a reaction could not be stored');
      tallies.add(reaction, { failed: 1 });
    }
    await insertCounted(session, firings, tallies);
    if (this.#options.stops) await stopFailed(session, permitted);
  }

  /** @param refused reactions that `write` is going to stop, because a chain had no room: no later part stores any of theirs. */
  async #writePart(session: WriteSession, slice: readonly Prepared[], refused: Set<string>): Promise<void> {
    const wanted = slice.filter(({ reaction }) => !refused.has(reaction.id));
    const permitted = await this.#withinChains(session, await this.#unmade(session, wanted));
    for (const { reaction, error } of permitted) if (error !== undefined) refused.add(reaction.id);
    const { firings } = await this.#store(session, permitted);
    await insertCounted(session, firings, new Tallies());
  }

  /** Without the statements that have been made before. */
  async #unmade(session: WriteSession, prepared: readonly Prepared[]): Promise<Prepared[]> {
    const ids = prepared.flatMap(({ pending }) => pending.map(({ made }) => made.id));
    const known = new Map((await selectMade(session, ids)).map((firing) => [firing.statementId, firing]));
    return prepared.map((each) => ({
      ...each,
      pending: each.pending.filter(({ made }) => !isSame(known.get(made.id), each.reaction, made)),
    }));
  }

  /**
   * What there is room for in the chains. A reaction that is stopped by that causes nothing with later triggers. One that is not
   * stopped, in a replay, has been refused the same before, or will be each time: that is not counted.
   */
  async #withinChains(session: WriteSession, prepared: readonly Prepared[]): Promise<Prepared[]> {
    const { limits, stops } = this.#options;
    const links = prepared.flatMap(({ pending, chainStart }) =>
      pending.map(({ made: { id } }) => ({ id, chainStart })),
    );
    if (links.length === 0) return [...prepared];
    const room = await ChainRoom.of(session, links, limits);
    const stopped = new Set<string>();
    return prepared.flatMap((each): Prepared | [] => {
      const { reaction, chainStart, failed, error } = each;
      if (stopped.has(reaction.id)) return [];
      const pending = each.pending.filter(({ made: { id } }) => room.take({ id, chainStart }));
      const refused = each.pending.length - pending.length;
      if (refused === 0) return each;
      if (!stops) return { ...each, pending };
      stopped.add(reaction.id);
      return { ...each, pending, failed: failed + refused, error: error ?? room.refusal.stored };
    });
  }

  async #store(session: WriteSession, prepared: readonly Prepared[]): Promise<Stored> {
    const all = prepared.flatMap((from) => from.pending.map((pending) => ({ from, ...pending })));
    const [firings, conflicts]: [NewFiring[], Conflict[]] = [[], []];
    if (all.length === 0) return { firings, conflicts };
    const outcomes = await this.#options.statements.storeWithin(
      session,
      all.map(({ batch }) => batch),
    );
    for (const [index, { from, made }] of all.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof Error) {
        conflicts.push({ reaction: from.reaction, error: outcome });
        continue;
      }
      const position = outcome?.get(made.id);
      if (position !== undefined) firings.push(firingOf(from, made, position));
    }
    return { firings, conflicts };
  }
}

/** A statement whose id another one has. */
interface Conflict extends Pick<Reacted, 'reaction'> {
  readonly error: Error;
}

interface Stored {
  readonly firings: readonly NewFiring[];
  readonly conflicts: readonly Conflict[];
}

/** The ids of matched statements. */
function matchedIds(prepared: readonly Prepared[]): string[] {
  const matches = prepared.flatMap(({ pending }) => pending.map(({ made }) => made.match));
  return matches.flatMap((match) => Array.from(match.values(), ({ id }) => id));
}

/** The statements in slices that one transaction stores each, without what has failed beside them. */
function partsOf(prepared: readonly Prepared[]): Prepared[][] {
  const slices: Prepared[][] = [];
  let left = { statements: 0, bytes: 0 };
  for (const each of prepared) {
    let piece: Pending[] = [];
    for (const pending of each.pending) {
      const { bytes } = pending.made;
      if (left.statements < 1 || left.bytes < bytes) {
        slices.push([]);
        left = { ...mostTogether };
        piece = [];
      }
      if (piece.length === 0) slices.at(-1)?.push({ ...each, pending: piece, failed: 0, error: undefined });
      piece.push(pending);
      left = { statements: left.statements - 1, bytes: left.bytes - bytes };
    }
  }
  return slices;
}

/** Inserts firings, and adds them to the counters beside what has failed. */
async function insertCounted(
  session: WriteSession,
  firings: readonly NewFiring[],
  tallies: Tallies,
): Promise<void> {
  await insertFirings(session, firings);
  for (const { reactionId: id, position } of firings) tallies.add({ id }, { fired: 1, lastFired: position });
  for (const tally of tallies.all) await addToCounters(session, tally);
}

async function stopFailed(session: WriteSession, prepared: readonly Prepared[]): Promise<void> {
  for (const { reaction, trigger, error } of prepared) {
    if (error !== undefined)
      await stopReaction(session, reaction, {
        error,
        triggerId: trigger.id,
        stopped: trigger.position - 1,
      });
  }
}

/** Whether a match is the same as an earlier one. */
function isSame(earlier: Firing | undefined, reaction: Reaction, { match }: Made): boolean {
  if (earlier === undefined) return false;
  const { matched, combination } = earlier;
  if (combination !== null) return combination === derivedId(reaction, match);
  if (Object.keys(matched).length !== match.size) return false;
  return [...match].every(([name, { id }]) => Object.hasOwn(matched, name) && matched[name] === id);
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

/** What is added to the counters of each reaction. */
class Tallies {
  readonly #byReaction = new Map<string, Tally>();

  add(
    { id }: Pick<Reaction, 'id'>,
    { fired = 0, failed = 0, lastFired = null }: Partial<Omit<Tally, 'id'>>,
  ): void {
    if (fired === 0 && failed === 0) return;
    const before = this.#byReaction.get(id) ?? { id, fired: 0, failed: 0, lastFired: null };
    this.#byReaction.set(id, {
      id,
      fired: before.fired + fired,
      failed: before.failed + failed,
      lastFired: lastFired ?? before.lastFired,
    });
  }

  get all(): Tally[] {
    return [...this.#byReaction.values()];
  }
}
