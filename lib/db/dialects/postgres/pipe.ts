import type { Client, CustomTypesConfig } from 'pg';
import { UnconfirmedCommitError } from '../server/network-error.ts';
import type { PostgresQuery } from './sql.ts';
import type { Outcome, Sending, syncGroupClass } from './sync-group.ts';

interface RunOptions {
  /** Whether it may return rows. */
  readonly givesRows?: boolean;
  /** Whether it also runs if an earlier statement of the same group fails. */
  readonly alone?: boolean;
}

/** From this many bytes on, a group is sent at once, so that the server begins while the next statements are encoded. */
const worthSending = 64 * 1024;
/** The function of the server that waits for synchronous standbys; a notice of it says that the wait was interrupted. */
const waitForStandby = 'SyncRepWaitForLSN';
/** The most prepared statements per connection; this program has fewer SQL texts. */
const preparedLimit = 500;

/**
 * A connection of the `pg` driver that sends all statements of one turn of the event loop as one message and receives their
 * responses as one, because each message costs both sides a system call and usually a wake-up, which takes longer than most
 * statements. When a statement of the group fails, those after it fail too.
 */
export class PostgresPipe {
  readonly #client: Client;
  readonly #SyncGroup: ReturnType<typeof syncGroupClass>;
  readonly #types: CustomTypesConfig;
  /** The prepared statements, by their texts. */
  readonly #prepared = new Map<string, Preparation>();
  readonly #preparedLimit: number;
  #named = 0;
  /** Names of prepared statements that are no longer used. */
  #abandoned: string[] = [];
  #waiting: Sending[] = [];
  #bytes = 0;
  /** Whether sending is scheduled. */
  #scheduled = false;
  /** Why no result counts any more. */
  #unconfirmed: UnconfirmedCommitError | undefined;

  /**
   * @param keepsPrepared whether the server may keep statements prepared: not behind a pooler that changes the connection.
   */
  constructor(
    client: Client,
    SyncGroup: ReturnType<typeof syncGroupClass>,
    types: CustomTypesConfig,
    keepsPrepared = true,
  ) {
    this.#client = client;
    this.#SyncGroup = SyncGroup;
    this.#types = types;
    this.#preparedLimit = keepsPrepared ? preparedLimit : 0;
    client.on('notice', ({ routine }) => {
      if (routine !== waitForStandby) return;
      this.#unconfirmed = new UnconfirmedCommitError();
      client.connection.stream.destroy(this.#unconfirmed);
    });
  }

  run<Row extends object>(query: PostgresQuery, options: RunOptions = {}): Promise<Outcome<Row>> {
    return this.#send<Row>(query, options, (sending) => {
      if (options.alone) this.#flush([sending]);
      else this.#wait(sending);
    });
  }

  /** The same, but it is sent together with the next statement, whatever its size. */
  hold<Row extends object>(query: PostgresQuery, options: RunOptions = {}): Promise<Outcome<Row>> {
    return this.#send<Row>(query, options, (sending) => this.#waiting.push(sending));
  }

  #send<Row extends object>(
    query: PostgresQuery,
    { givesRows = false, alone = false }: RunOptions,
    take: (sending: Sending) => void,
  ): Promise<Outcome<Row>> {
    return new Promise<Outcome<object>>((confirm, reject) => {
      const resolve = (outcome: Outcome<object>): void =>
        this.#unconfirmed === undefined ? confirm(outcome) : reject(this.#unconfirmed);
      const named = this.#nameOf(query.text, alone);
      take({ query, ...named, givesRows, resolve, reject, fields: [], rows: [], tag: '' });
      // Rows are what the SQL says.
    }) as Promise<Outcome<Row>>;
  }

  /** Whether it was requested and has not been sent. */
  isWaiting(query: PostgresQuery): boolean {
    return this.#waiting.some((sending) => sending.query === query);
  }

  #wait(sending: Sending): void {
    // After everything that follows from the current event.
    if (!this.#scheduled) process.nextTick(() => this.#flush());
    this.#scheduled = true;
    this.#waiting.push(sending);
    for (const value of sending.query.values) this.#bytes += value?.length ?? 0;
    if (this.#bytes > worthSending) this.#flush();
  }

  /** @param alone is sent together with what is queued, but does not fail with it. */
  #flush(alone: readonly Sending[] = []): void {
    const groups = [this.#waiting, alone].filter((sendings) => sendings.length > 0);
    this.#waiting = [];
    this.#bytes = 0;
    this.#scheduled = false;
    const abandoned = this.#abandoned;
    this.#abandoned = [];
    for (const [index, sendings] of groups.entries()) {
      const first = index === 0;
      const place = { first, last: index === groups.length - 1, abandoned: first ? abandoned : [] };
      this.#client.query(new this.#SyncGroup(sendings, place, this.#types, this.#settle));
    }
  }

  /** @param succeeded whether the server has prepared it; otherwise that is unknown. */
  readonly #settle = ({ query, name, fresh }: Sending, succeeded: boolean): void => {
    const preparation = this.#prepared.get(query.text);
    if (!fresh || preparation?.name !== name) return;
    if (succeeded) {
      preparation.goesWith = undefined;
      return;
    }
    this.#prepared.delete(query.text);
    this.#abandoned.push(name);
  };

  /**
   * Until a statement is known to be prepared, only those sent with its first use may rely on it; others prepare it without
   * a name.
   */
  #nameOf(text: string, alone: boolean): { name: string; fresh: boolean } {
    const known = this.#prepared.get(text);
    if (known !== undefined) {
      const usable = known.goesWith === undefined || (!alone && known.goesWith === this.#waiting);
      return usable ? { name: known.name, fresh: false } : { name: '', fresh: true };
    }
    if (this.#prepared.size >= this.#preparedLimit) return { name: '', fresh: true };
    this.#named += 1;
    const name = `s${this.#named}`;
    this.#prepared.set(text, { name, goesWith: alone ? [] : this.#waiting });
    return { name, fresh: true };
  }
}

/** A statement that the server keeps prepared. */
interface Preparation {
  readonly name: string;
  /** What is queued to be sent with the first use; undefined once that has succeeded. */
  goesWith: readonly Sending[] | undefined;
}
