import type { Client, CustomTypesConfig } from 'pg';
import type { PostgresQuery } from './sql.ts';
import type { Outcome, Sending, syncGroupClass } from './sync-group.ts';

interface RunOptions {
  /** Whether it may give rows. */
  readonly givesRows?: boolean;
  /** Whether it is to run even if one that is sent together with it fails. */
  readonly alone?: boolean;
}

/** With so many bytes to send, the server may as well begin with them while the next are made ready. */
const worthSending = 64 * 1024;
/** Statements that the server keeps prepared on each connection; the SQL of this program is fewer texts than that. */
const preparedLimit = 500;

/**
 * A connection of the `pg` driver, to which what is asked in one turn of the event loop goes at once, and which
 * answers it at once: each message costs both sides a system call and mostly wakes the other one up, which is dearer than
 * what most statements do. Of statements that are sent together the first that fails takes the others with it.
 */
export class PostgresPipe {
  readonly #client: Client;
  readonly #SyncGroup: ReturnType<typeof syncGroupClass>;
  readonly #types: CustomTypesConfig;
  /** The statements that the server keeps prepared, by their texts. */
  readonly #prepared = new Map<string, Preparation>();
  readonly #preparedLimit: number;
  #named = 0;
  /** Names that the server may keep a statement under which is used no more. */
  #abandoned: string[] = [];
  #waiting: Sending[] = [];
  #bytes = 0;
  /** Whether what waits is going to be sent. */
  #scheduled = false;

  /** @param keepsPrepared whether the server may keep statements prepared: not where a pooler changes the connection. */
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
  }

  run<Row extends object>(query: PostgresQuery, options: RunOptions = {}): Promise<Outcome<Row>> {
    return this.#send<Row>(query, options, (sending) => {
      if (options.alone) this.#flush([sending]);
      else this.#wait(sending);
    });
  }

  /** The same, but it goes out with the next statement that is run, however much there is to send. */
  hold<Row extends object>(query: PostgresQuery, options: RunOptions = {}): Promise<Outcome<Row>> {
    return this.#send<Row>(query, options, (sending) => this.#waiting.push(sending));
  }

  #send<Row extends object>(
    query: PostgresQuery,
    { givesRows = false, alone = false }: RunOptions,
    take: (sending: Sending) => void,
  ): Promise<Outcome<Row>> {
    return new Promise<Outcome<object>>((resolve, reject) => {
      const named = this.#nameOf(query.text, alone);
      take({ query, ...named, givesRows, resolve, reject, fields: [], rows: [], tag: '' });
      // Rows are what the SQL says.
    }) as Promise<Outcome<Row>>;
  }

  /** Whether it has been asked for and not been sent. */
  isWaiting(query: PostgresQuery): boolean {
    return this.#waiting.some((sending) => sending.query === query);
  }

  #wait(sending: Sending): void {
    // After all that follows from what has just happened.
    if (!this.#scheduled) process.nextTick(() => this.#flush());
    this.#scheduled = true;
    this.#waiting.push(sending);
    for (const value of sending.query.values) this.#bytes += value?.length ?? 0;
    if (this.#bytes > worthSending) this.#flush();
  }

  /** @param alone what goes out together with what waits, but does not fail with it. */
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

  /** @param succeeded whether the server has prepared it; otherwise nobody knows. */
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

  /** As long as it is not known to be prepared, only what goes out with the first use may count on it; others prepare without a name. */
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
  /** What waits to go out together with the first use; undefined once that has succeeded. */
  goesWith: readonly Sending[] | undefined;
}
