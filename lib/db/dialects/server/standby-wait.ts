import { OutageError, UnavailableError } from '../../../errors.ts';
import { startEpochsSql } from '../../cache-epoch.ts';
import { CommitOutcomeUnknownError } from '../../commit-outcome.ts';
import { DatabaseUnusableError } from '../../unusable.ts';
import type { ConnectionSource } from './connection-source.ts';
import type { DriverConnection, ServerConnection, ServerDialect, ServerEngine } from './engine.ts';
import { onNewConnection } from './liveness.ts';

/** How long (ms) a write takes before the server is asked whether it waits for a standby. */
const patience = 5000;
/** The time (ms) between two questions about the same write. */
const askedEvery = 1000;
/** How long (ms) an answer counts. */
const keptFor = 500;

/** A commit waits for a synchronous standby. It holds the write lock, so nothing else is committed meanwhile. */
export class StandbyWaitError extends OutageError {
  override readonly begins =
    'the commit waits for a synchronous standby; until one confirms it, writes are answered 503';
  override readonly ends = 'a synchronous standby confirms commits again';

  /** @param advice what the operator can do. */
  constructor(advice: string) {
    super('Nothing is stored at the moment: the commit waits for a synchronous standby.', {
      cause: new DatabaseUnusableError(advice),
    });
  }
}

/** @throws StandbyWaitError when too few standbys are connected to confirm a commit. */
export async function requireStandbys(
  session: Pick<ServerConnection, 'select'>,
  { standbyWait }: ServerDialect,
): Promise<void> {
  const [row] = await session.select<{ lacking: boolean | number }>(standbyWait.lackingSql);
  if (row?.lacking) throw new StandbyWaitError(standbyWait.advice);
}

/** Starts new epochs on a server that has taken over. @throws StandbyWaitError instead of waiting for a standby. */
export async function startEpochs(connection: ServerConnection, dialect: ServerDialect): Promise<void> {
  await requireStandbys(connection, dialect);
  await connection.execute(startEpochsSql());
}

/**
 * Finds out whether commits wait for a standby. Only a write that takes long asks, and writes are refused from then on until
 * the server says that no commit waits any more.
 */
export class StandbyWait {
  readonly #engine: ServerEngine;
  readonly #reader: ConnectionSource | undefined;
  readonly #patience: number;
  #isWaiting = false;
  #asking: Promise<boolean> | undefined;
  /** When the server answered; milliseconds since any moment. */
  #answered = Number.NEGATIVE_INFINITY;

  /**
   * @param reader undefined where reads have no connections apart from that which writes.
   * @param transactionTimeout milliseconds.
   */
  constructor(engine: ServerEngine, reader: ConnectionSource | undefined, transactionTimeout: number) {
    this.#engine = engine;
    this.#reader = reader;
    this.#patience = Math.min(patience, transactionTimeout / 2);
  }

  /** Whether a commit was waiting when the server was asked last. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** @throws StandbyWaitError while a commit waits. */
  async requireNone(): Promise<void> {
    if (await this.#ask()) throw this.#error();
  }

  /**
   * Does a write. When it takes long because a commit waits, its connection is closed, and the server goes on by itself.
   * @param write is given a function that notes the connection it works on.
   */
  async watching<T>(write: (noteLent: (lent: DriverConnection) => void) => Promise<T>): Promise<T> {
    let lent: DriverConnection | undefined;
    let isDone = false;
    const look = async (): Promise<void> => {
      const waits = await this.#ask();
      if (isDone) return;
      if (waits && lent !== undefined) this.#engine.abandon(lent);
      timer = setTimeout(look, askedEvery);
    };
    let timer = setTimeout(look, this.#patience);
    try {
      return await write((connection) => {
        lent = connection;
      });
    } catch (error) {
      throw this.#isWaiting ? this.#explained(error) : error;
    } finally {
      isDone = true;
      clearTimeout(timer);
    }
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof UnavailableError)) return error;
    const cause = this.#error();
    if (!(error instanceof CommitOutcomeUnknownError)) return cause;
    return new CommitOutcomeUnknownError({ cause }, 'The commit waits for a synchronous standby');
  }

  #error(): StandbyWaitError {
    return new StandbyWaitError(this.#engine.dialect.standbyWait.advice);
  }

  #ask(): Promise<boolean> {
    if (performance.now() - this.#answered < keptFor) return Promise.resolve(this.#isWaiting);
    this.#asking ??= this.#askServer().finally(() => {
      this.#answered = performance.now();
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askServer(): Promise<boolean> {
    try {
      const { sql } = this.#engine.dialect.standbyWait;
      const query = (connection: ServerConnection) => connection.select<{ waited: number }>(sql);
      const [row] = await (this.#reader?.use(query) ?? onNewConnection(this.#engine, query));
      this.#isWaiting = (row?.waited ?? 0) > this.#patience / 2;
    } catch {
      // Then something else keeps writes from being stored.
      this.#isWaiting = false;
    }
    return this.#isWaiting;
  }
}
