import type { WriteSession } from '../db/types.ts';
import type { CommittedStatements, Position } from '../statements/types.ts';

/** Something that has happened, at a position of its own. Items come in the order of positions, which is that of commits. */
export type FeedItem = StatementItem | ErasureItem;

interface StatementPlace {
  readonly position: Position;
  readonly id: string;
  /** Whether it is voided at the time of reading: it may have been when it was stored, or be voided later. */
  readonly voided: boolean;
}

/** What the columns of a stored statement tell without its text. */
export interface StatementHead extends StatementPlace {
  /** The id of the Verb. */
  readonly verb: string;
  /** The identifier of the Actor, e.g. `mbox::mailto:ann@example.org`; null where it has none. */
  readonly actor: string | null;
  /** The id of an Activity or of the statement referred to, or the identifier of an Agent or Group; null where there is none. */
  readonly object: string | null;
  /** In lower case. */
  readonly registration: string | null;
}

export interface StatementItem extends StatementPlace {
  readonly kind: 'statement';
  /** JSON, as `format=exact` gives it. */
  readonly text: string;
  /** The id of the statement that this one voids, whether or not that one is stored; absent where it voids none. */
  readonly voids?: string;
}

/** Statements that were erased, in one transaction. Consumers without `takesEvents` may be handed some, too. */
export interface ErasureItem {
  readonly kind: 'erasure';
  readonly position: Position;
  /** Their ids. */
  readonly statements: readonly string[];
}

/** What a consumer may know of the turn that it works in. */
export interface FeedTurn {
  /** The name of the consumer: one handler serves all consumers of its kind. */
  readonly consumer: string;
  /** Aborted when the effect can't be committed any more, or the deadline has passed. */
  readonly signal: AbortSignal;
  /** When the handler must have ended: milliseconds since the epoch. */
  readonly deadline: number;
}

/** What consumers of one kind do. */
export interface FeedHandler {
  /** Called for every batch, after it is known which statements there are and before `wants` is asked about them. */
  prepare?(): Promise<void>;
  /**
   * Whether consumers of this kind need the statement. The text of the others is not read; they are not handed over, and count as
   * done. Not asked for long statements and for erasures, which are always handed over. Without this method they need all.
   */
  wants?(statement: StatementHead): boolean;
  /**
   * Works on items, one at least, in order, outside of any transaction. It may take fewer than it is given.
   * @throws anything: then the items come again after a pause, and the other consumers go on.
   */
  handle(items: readonly FeedItem[], turn: FeedTurn): Promise<FeedEffect>;
}

export interface FeedEffect {
  /**
   * The position up to which items are done. That of the last item completes the batch; a position before the first one leaves
   * the cursor where it is, so that the same items come again.
   */
  readonly through: Position;
  /**
   * Runs in the transaction that moves the cursor: both are committed, or neither is, so the effect takes place exactly once.
   * It may run more than once, as the work of `Database.write`. Without it the cursor is stored within a second or two: after a
   * crash, items come again.
   */
  readonly write?: (session: WriteSession) => Promise<void>;
  /**
   * What of a large effect is written beforehand: each in a transaction of its own, in their order, so that none holds the write
   * lock for long. They leave the cursor where it is. When one of them, or `write`, is not committed, the items come again, so
   * what one has committed must not be written a second time. Only beside `write`.
   */
  readonly parts?: readonly ((session: WriteSession) => Promise<void>)[];
  /** Whether the consumer has reached its end, and is removed in the same transaction. */
  readonly done?: boolean;
}

/**
 * To be thrown by a handler, or by what writes its effect, when something that it has read is out of date by now: the turn is
 * taken again at once, and no failure is noted.
 */
export class FeedTurnAborted extends Error {
  override readonly name = 'FeedTurnAborted';
}

export const consumerStates = ['running', 'paused', 'failed'] as const;
/** `failed`: its handler has failed several times in a row; it is tried again, less and less often. */
export type ConsumerState = (typeof consumerStates)[number];

export interface NewConsumer {
  /** Unique; at most 255 characters. */
  readonly name: string;
  /** Which handler serves it; at most 40 ASCII characters. */
  readonly kind: string;
  /** Items behind this position are its own; without it, those that are stored from now on. */
  readonly cursor?: Position;
  /** Whether it needs to know of erasures; without it, it does. For one that does not, none is kept that it has not seen yet. */
  readonly takesEvents?: boolean;
}

/** A consumer as operators see it. */
export interface ConsumerStatus {
  readonly name: string;
  readonly kind: string;
  readonly state: ConsumerState;
  readonly cursor: Position;
  readonly lag: {
    /** Statements that are stored and not yet done. */
    readonly statements: number;
    /** For how long the oldest of them has been stored; 0 when there is none. */
    readonly seconds: number;
  };
  /** What the last attempt failed with; null when it did not. */
  readonly error: string | null;
  /** How many attempts have failed in a row. */
  readonly attempts: number;
  /** ISO 8601; null when no attempt waits. */
  readonly nextAttempt: string | null;
}

/** What is stored and erased, told to consumers one after the other (docs/decisions/0033-the-feed.md). */
export interface Feed {
  /** Says what consumers of a kind do. Without any handler nothing is asked of the database. @throws when the kind has one. */
  register(kind: string, handler: FeedHandler): void;
  /**
   * Adds a consumer unless there is one of that name.
   * @param session a transaction that it is to be part of; then call `wake` behind the commit.
   */
  ensureConsumer(consumer: NewConsumer, session?: WriteSession): Promise<void>;
  /** Once this is committed, no effect of the consumer is. */
  removeConsumer(name: string, session?: WriteSession): Promise<void>;
  /** Once this resolves, no effect of the consumer is committed until `resume`. */
  pause(name: string): Promise<void>;
  /** Also tries a failed consumer again at once. */
  resume(name: string): Promise<void>;
  list(): Promise<ConsumerStatus[]>;
  /**
   * Something has been committed. It returns at once.
   * @param committed statements, in the order of the commits: what is known of them need not be read.
   */
  wake(committed?: CommittedStatements): void;
  /** Serves consumers until `stop`, in a process that keeps running. */
  start(): void;
  /** Ends what is under way, and lets other processes take over at once. */
  stop(): Promise<void>;
  /**
   * Serves consumers until nothing is left to do or the deadline (milliseconds since the epoch) has passed. Nothing is under way
   * when it has resolved.
   * @returns whether nothing is left that this process may do.
   * @throws UnavailableError
   */
  runUntil(deadline: number): Promise<boolean>;
}
