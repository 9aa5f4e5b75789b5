import type { WriteSession } from '../../db/types.ts';
import { derivedId } from '../generate/generate.ts';
import { type Begun, type Firing, selectBegun, selectMade } from '../store/firing-rows.ts';
import type { MatchLimits, ReactionError } from '../types.ts';
import type { Reaction } from './active-reactions.ts';
import { type ChainLink, ChainRoom, type CountedChains } from './chain-room.ts';
import { type Piece, voids } from './parts.ts';
import type { Made, Reacted } from './react.ts';

/** What is stored of a piece. */
export interface Admitted extends Pick<Piece, 'whole' | 'made'> {
  /** Statements for which there is no room. */
  readonly refused: number;
  /** Why there is none. */
  readonly refusal: ReactionError | undefined;
}

/** `dropped`: an earlier trigger stops the reaction. */
type Decision = 'stored' | 'refused' | 'dropped';

export interface AdmissionOptions {
  readonly limits: Pick<MatchLimits, 'reactionMaxChainStatements'>;
  /** The chains of all that is to be stored. */
  readonly counted: CountedChains;
  /** Whether a reaction is stopped that is refused room. */
  readonly stops: boolean;
}

/**
 * Decides what is stored of what triggers cause in reactions: of one trigger all statements of a reaction, or none where they do
 * not all have room in the chain. The decision falls with the first piece. Statements of which a process has stored some before it
 * crashed are stored to the last, even if others have taken the room since.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  /** A transaction that is repeated decides anew. */
  readonly #decisions = new Map<Reacted, Decision>();
  /** By the id of a reaction, what stops it. */
  readonly #stopped = new Map<string, Reacted>();
  /** Ids of statements that have room and that a later transaction stores. */
  readonly #granted = new Map<Reacted, Set<string>>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * @param pieces in the order of the triggers.
   * @param gone ids of statements that were voided or erased: what matches one of them is left out.
   * @returns them without statements that are made already, and without dropped ones.
   */
  async admit(
    session: WriteSession,
    pieces: readonly Piece[],
    gone: ReadonlySet<string>,
  ): Promise<Admitted[]> {
    const concerned = pieces.flatMap(({ whole, made, isFirst }) => (isFirst ? whole.made : made));
    const ids = concerned.map(({ id }) => id);
    const known = new Map((await selectMade(session, ids)).map((firing) => [firing.statementId, firing]));
    const isMade = (each: Made, { reaction }: Reacted): boolean => isSame(known.get(each.id), reaction, each);
    const unmade = (made: readonly Made[], whole: Reacted): Made[] =>
      made.filter((each) => !isMade(each, whole) && !concerns(each, gone));
    const wanted = pieces.map((piece) => ({
      ...piece,
      left: unmade(piece.isFirst ? piece.whole.made : piece.made, piece.whole),
    }));
    const links = wanted.flatMap(({ whole, left }) =>
      left.map(({ id }) => ({ id, chainStart: whole.chainStart })),
    );
    const room = await ChainRoom.of(session, links, {
      ...this.#options,
      granted: this.#grantedBefore(pieces),
    });
    // What has room is stored whether it is begun or not.
    const begun = await begunAmong(
      session,
      pieces.filter(({ whole }) => room.isShort(whole.chainStart)),
    );
    const undecided = new Set(pieces.flatMap(({ whole, isFirst }) => (isFirst ? whole : [])));
    for (const { whole, left } of wanted)
      if (!undecided.has(whole) && this.#decisions.get(whole) === 'stored')
        takeAll(room, whole, { left, isBegun: true });
    return wanted.flatMap(({ whole, made, isFirst, left }): Admitted | [] => {
      const isBegun = begun.has(whole) || whole.made.some((each) => isMade(each, whole));
      if (isFirst) this.#decisions.set(whole, this.#decide(whole, room, { left, isBegun }));
      const decision = this.#decisions.get(whole);
      if (isFirst && decision === 'stored') this.#granted.set(whole, new Set(left.map(({ id }) => id)));
      this.#settle(whole, made);
      if (decision === 'dropped') return [];
      const own = unmade(made, whole);
      if (decision === 'stored') return { whole, made: own, refused: 0, refusal: undefined };
      return { whole, made: [], refused: own.length, refusal: whole.refusal ?? room.refusal.stored };
    });
  }

  /** What earlier transactions have granted and neither they nor this one store. */
  #grantedBefore(pieces: readonly Piece[]): ChainLink[] {
    for (const { whole, made, isFirst } of pieces)
      if (isFirst) this.#granted.delete(whole);
      else this.#settle(whole, made);
    return [...this.#granted].flatMap(([{ chainStart }, ids]) =>
      Array.from(ids, (id) => ({ id, chainStart })),
    );
  }

  /** Notes that a transaction stores them. */
  #settle(whole: Reacted, made: readonly Made[]): void {
    for (const { id } of made) this.#granted.get(whole)?.delete(id);
  }

  #decide(whole: Reacted, room: ChainRoom, wanted: Wanted): Decision {
    const { id } = whole.reaction;
    const stopped = this.#stopped.get(id);
    if (stopped !== undefined && stopped !== whole) return 'dropped';
    const isStored = whole.refusal === undefined ? takeAll(room, whole, wanted) : wanted.left.length === 0;
    if (isStored) {
      // A transaction that was rolled back may have refused it, before some of what it matches was voided.
      this.#stopped.delete(id);
      return 'stored';
    }
    if (this.#options.stops) this.#stopped.set(id, whole);
    return 'refused';
  }
}

/**
 * Those of which statements are stored that void what they were made of: what is left of such a match is not found again, so the
 * others do not tell that it was begun.
 */
async function begunAmong(session: WriteSession, pieces: readonly Piece[]): Promise<ReadonlySet<Reacted>> {
  const voiding = pieces.flatMap(({ whole, isFirst }) => (isFirst && whole.made.some(voids) ? whole : []));
  const begun = new Set((await selectBegun(session, voiding.map(begunOf))).map(keyOf));
  return new Set(voiding.filter((whole) => begun.has(keyOf(begunOf(whole)))));
}

function begunOf({ reaction, trigger }: Reacted): Begun {
  return { triggerId: trigger.id, reactionId: reaction.id, version: reaction.version };
}

function keyOf({ triggerId, reactionId, version }: Begun): string {
  return `${triggerId} ${reactionId} ${version}`;
}

interface Wanted {
  /** What is not stored yet. */
  readonly left: readonly Made[];
  /** Whether some is stored already. */
  readonly isBegun: boolean;
}

function takeAll(room: ChainRoom, { chainStart }: Reacted, { left, isBegun }: Wanted): boolean {
  const ids = left.map(({ id }) => id);
  return room.take(ids, { chainStart, isBegun });
}

function concerns({ match }: Made, gone: ReadonlySet<string>): boolean {
  return gone.size > 0 && [...match.values()].some(({ id }) => gone.has(id));
}

/** Whether the same ruleset of the reaction has made a statement of the same match. */
function isSame(earlier: Firing | undefined, reaction: Reaction, { match }: Made): boolean {
  if (earlier?.reactionId !== reaction.id || earlier.version !== reaction.version) return false;
  const { matched, combination } = earlier;
  if (combination !== null) return combination === derivedId(reaction, match);
  if (Object.keys(matched).length !== match.size) return false;
  return [...match].every(([name, { id }]) => Object.hasOwn(matched, name) && matched[name] === id);
}
