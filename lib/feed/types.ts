import type { WriteSession } from '../db/types.ts';
import type { CommittedStatements, Position } from '../statements/types.ts';

/** An event with a position of its own. Items are ordered by position, which is the commit order. */
export type FeedItem = StatementItem | ErasureItem;

interface StatementPlace {
  readonly position: Position;
  readonly id: string;
  /** Whether it is voided when it is read: it may have been voided when it was stored, or be voided later. */
  readonly voided: boolean;
}

/** The columns of a stored statement, without its text. */
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

/** Statements that were erased, in one transaction. Consumers without `takesEvents` may get some, too. */
export interface ErasureItem {
  readonly kind: 'erasure';
  readonly position: Position;
  /** Their ids. */
  readonly statements: readonly string[];
}

/** The context of a consumer's turn. */
export interface FeedTurn {
  /** The name of the consumer: one handler serves all consumers of its kind. */
  readonly consumer: string;
  /** Aborted when the effect can no longer be committed, or the deadline has passed. */
  readonly signal: AbortSignal;
  /** The handler's deadline in milliseconds since the epoch. */
  readonly deadline: number;
}

/** The handler of the consumers of one kind. */
export interface FeedHandler {
  /**
   * Whether its consumers leave others the time that clients leave: they take no part of it from consumers of other kinds, and work
   * one after another. Their turns may take 20 times as long.
   */
  readonly inBackground?: boolean;
  /** Called for every batch, before `wants` is called for its statements. */
  prepare?(): Promise<void>;
  /**
   * Whether consumers of this kind need the statement. The texts of others are not read; they are skipped and count as
   * done. Not called for long statements and for erasures, which are always handed over. Without this method all are
   * needed.
   * @param consumer its name.
   */
  wants?(statement: StatementHead, consumer: string): boolean;
  /**
   * Whether a consumer without items has something to do: then `handle` is called with none. Asked about once a second.
   * @param consumer its name.
   */
  wantsIdleTurn?(consumer: string): boolean;
  /**
   * Works on one or more items, in order, outside of any transaction. It may take fewer items than it gets.
   * @throws anything: the items are then handed over again after a pause, and other consumers continue. The status has the message
   *   of a ConsumerFailure or an LrsError.
   */
  handle(items: readonly FeedItem[], turn: FeedTurn): Promise<FeedEffect>;
}

export interface FeedEffect {
  /**
   * The position up to which items are done. That of the last item completes the batch; a position before the first one
   * leaves the cursor in place, so that the same items are handed over again.
   */
  readonly through: Position;
  /**
   * Runs in the transaction that moves the cursor: both are committed or neither is, so the effect happens exactly once. It
   * may run more than once, like the work of `Database.write`. Without it the cursor is stored within a second or two, and
   * items may be handed over again after a crash.
   */
  readonly write?: (session: WriteSession) => Promise<void>;
  /**
   * Parts of a large effect that are written first, in order and each in a transaction of its own, so that none holds the
   * write lock for long. They do not move the cursor. When one of them, or `write`, is not committed, the items are handed
   * over again, so parts that were committed must not be written twice. Each is asked for once the one before is
   * committed, and `write` is called once there are no more. Only together with `write`.
   */
  readonly parts?: Iterable<(session: WriteSession) => Promise<void>>;
  /** Called once: when the effect was committed, has failed or is not taken because it came too late. It must not throw. */
  readonly release?: () => void;
  /** Whether the consumer has reached its end and is removed in the same transaction. */
  readonly done?: boolean;
}

/**
 * Thrown by a handler, or when its effect is written, if something that it has read is outdated: the turn is repeated at
 * once, and no failure is recorded, unless that happens many times in a row.
 */
export class FeedTurnAborted extends Error {
  override readonly name = 'FeedTurnAborted';
  /** Whether it is no failure however often it happens: each time, less is left by which the turn can be outdated again. */
  readonly mayRecur: boolean;

  constructor(message: string, { mayRecur = false }: { readonly mayRecur?: boolean } = {}) {
    super(message);
    this.mayRecur = mayRecur;
  }
}

/** Why an attempt to work for a consumer has failed, in a message for operators. Other messages are shown only in the log. */
export class ConsumerFailure extends Error {
  override readonly name: string = 'ConsumerFailure';
}

export const consumerStates = ['running', 'paused', 'failed'] as const;
/** `failed`: its handler has failed several times in a row; it is retried at growing intervals. */
export type ConsumerState = (typeof consumerStates)[number];

export interface NewConsumer {
  /** Unique; at most 255 characters. */
  readonly name: string;
  /** The kind, which selects the handler; at most 40 ASCII characters. */
  readonly kind: string;
  /** Items after this position belong to it; without it, those that are stored from now on. */
  readonly cursor?: Position;
  /** Whether it needs erasures; true by default. Erasures are not recorded for consumers that do not need them. */
  readonly takesEvents?: boolean;
}

/** A consumer as operators see it. */
export interface ConsumerStatus {
  readonly name: string;
  readonly kind: string;
  readonly state: ConsumerState;
  readonly cursor: Position;
  readonly lag: {
    /** The number of stored statements that are not done yet. */
    readonly statements: number;
    /** The age of the oldest of them in seconds; 0 when there is none. */
    readonly seconds: number;
  };
  /** The error of the last attempt; null when it succeeded. */
  readonly error: string | null;
  /** The number of failed attempts in a row. */
  readonly attempts: number;
  /** ISO 8601; null when no attempt is scheduled. */
  readonly nextAttempt: string | null;
}

/** Passes stored statements and erasures to consumers in order (docs/decisions/0033-the-feed.md). */
export interface Feed {
  /**
   * Registers the handler of a kind. Without any handler the database is not queried.
   * @throws when the kind has a handler.
   */
  register(kind: string, handler: FeedHandler): void;
  /**
   * Adds a consumer unless there is one of that name.
   * @param session the transaction that adds it; call `wake` after its commit.
   */
  ensureConsumer(consumer: NewConsumer, session?: WriteSession): Promise<void>;
  /** After the commit, no effect of the consumer is committed any more. */
  removeConsumer(name: string, session?: WriteSession): Promise<void>;
  /** After this resolves, no effect of the consumer is committed until `resume`. */
  pause(name: string): Promise<void>;
  /** Also retries a failed consumer at once. */
  resume(name: string): Promise<void>;
  list(): Promise<ConsumerStatus[]>;
  /**
   * Something was committed. It returns at once.
   * @param committed statements, in commit order: what is known of them need not be read.
   */
  wake(committed?: CommittedStatements): void;
  /** Serves consumers until `stop`, in a long-running process. */
  start(): void;
  /** Ends the current work and lets other processes take over at once. */
  stop(): Promise<void>;
  /**
   * Serves consumers until no items are left or the deadline (milliseconds since the epoch) has passed. No handler works and
   * no transaction begins after the deadline. Nothing runs after it has resolved.
   * @param options `waits`: for as long as other processes hold the leases of consumers that have items left.
   * @returns whether this process has nothing left to do.
   * @throws UnavailableError
   */
  runUntil(deadline: number, options?: { readonly waits?: boolean }): Promise<boolean>;
}
