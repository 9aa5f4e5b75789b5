import type pgModule from 'pg';
import type { Client, Connection, CustomTypesConfig, FieldDef } from 'pg';
import type { PostgresQuery } from './postgres-sql.ts';

/** What a statement gave. */
export interface Outcome<Row> {
  readonly rows: Row[];
  /** What was done, in Postgres' words, e.g. `COMMIT`. */
  readonly tag: string;
}

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
  readonly #Batch: ReturnType<typeof batchClass>;
  readonly #types: CustomTypesConfig;
  /** The statements that the server keeps prepared, by their texts. */
  readonly #prepared = new Map<string, Preparation>();
  #named = 0;
  #waiting: Sending[] = [];
  #bytes = 0;

  constructor(client: Client, Batch: ReturnType<typeof batchClass>, types: CustomTypesConfig) {
    this.#client = client;
    this.#Batch = Batch;
    this.#types = types;
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
    if (this.#waiting.length === 0) process.nextTick(() => this.#flush());
    this.#waiting.push(sending);
    for (const value of sending.query.values) this.#bytes += value?.length ?? 0;
    if (this.#bytes > worthSending) this.#flush();
  }

  /** @param alone what goes out together with what waits, but does not fail with it. */
  #flush(alone: readonly Sending[] = []): void {
    const batches = [this.#waiting, alone].filter((batch) => batch.length > 0);
    this.#waiting = [];
    this.#bytes = 0;
    for (const [index, sendings] of batches.entries()) {
      const place = { first: index === 0, last: index === batches.length - 1 };
      this.#client.query(new this.#Batch(sendings, place, this.#types, this.#settle));
    }
  }

  /** @param succeeded whether the server has prepared it; otherwise nobody knows. */
  readonly #settle = ({ query, name, fresh }: Sending, succeeded: boolean): void => {
    const preparation = this.#prepared.get(query.text);
    if (!fresh || preparation?.name !== name) return;
    if (succeeded) preparation.goesWith = undefined;
    else this.#prepared.delete(query.text);
  };

  /** As long as it is not known to be prepared, only what goes out with the first use may count on it; others prepare without a name. */
  #nameOf(text: string, alone: boolean): { name: string; fresh: boolean } {
    const known = this.#prepared.get(text);
    if (known !== undefined) {
      const usable = known.goesWith === undefined || (!alone && known.goesWith === this.#waiting);
      return usable ? { name: known.name, fresh: false } : { name: '', fresh: true };
    }
    if (this.#prepared.size >= preparedLimit) return { name: '', fresh: true };
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

/** A row as the server sends it. */
type Texts = readonly (string | null)[];

/** A statement on its way, and what comes back. */
interface Sending {
  readonly query: PostgresQuery;
  readonly name: string;
  /** Whether the server has to prepare it first. */
  readonly fresh: boolean;
  readonly givesRows: boolean;
  readonly resolve: (outcome: Outcome<object>) => void;
  readonly reject: (error: unknown) => void;
  fields: readonly FieldDef[];
  readonly rows: Texts[];
  tag: string;
}

/** Of a batch among those that go out at once. */
interface Place {
  readonly first: boolean;
  readonly last: boolean;
}

/**
 * The class of statements between two points at which the server tells that it is ready. It is a `Query` because the driver
 * pipelines nothing else, but takes its steps itself.
 */
export function batchClass({ Query }: Pick<typeof pgModule, 'Query'>) {
  return class Batch extends Query {
    readonly #sendings: readonly Sending[];
    readonly #place: Place;
    readonly #types: CustomTypesConfig;
    readonly #settle: (sending: Sending, succeeded: boolean) => void;
    #answered = 0;

    /** @param settle told of each statement whether it has succeeded. */
    constructor(
      sendings: readonly Sending[],
      place: Place,
      types: CustomTypesConfig,
      settle: (sending: Sending, succeeded: boolean) => void,
    ) {
      super('');
      this.#sendings = sendings;
      this.#place = place;
      this.#types = types;
      this.#settle = settle;
    }

    /** A value that can't be sent costs the connection: without what follows it the server would wait for ever. */
    override submit = (connection: Connection): void => {
      const { stream } = connection;
      if (this.#place.first) stream.cork();
      try {
        for (const sending of this.#sendings) write(sending, connection);
        connection.sync();
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)));
      }
      if (this.#place.last) stream.uncork();
    };

    handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
      const sending = this.#sendings[this.#answered];
      if (sending) sending.fields = fields;
    }

    handleDataRow({ fields }: { readonly fields: Texts }): void {
      this.#sendings[this.#answered]?.rows.push(fields);
    }

    handleCommandComplete({ text }: { readonly text: string }): void {
      const sending = this.#sendings[this.#answered];
      if (sending) sending.tag = text;
      this.#answered += 1;
    }

    handleEmptyQuery(): void {
      this.#answered += 1;
    }

    handleError(error: unknown): void {
      for (const sending of this.#sendings) {
        this.#settle(sending, false);
        sending.reject(error);
      }
    }

    handleReadyForQuery(): void {
      for (const sending of this.#sendings) {
        const { fields, rows, tag, resolve, reject } = sending;
        this.#settle(sending, true);
        try {
          resolve({ rows: readRows(fields, rows, this.#types), tag });
        } catch (error) {
          reject(error);
        }
      }
    }
  };
}

function write({ query, name, fresh, givesRows }: Sending, connection: Connection): void {
  if (fresh) connection.parse({ name, text: query.text, types: [] }, true);
  connection.bind({ statement: name, values: query.values }, true);
  if (givesRows) connection.describe({ type: 'P' }, true);
  connection.execute(null, true);
}

function readRows(fields: readonly FieldDef[], rows: readonly Texts[], types: CustomTypesConfig): object[] {
  const columns = fields.map(({ name, dataTypeID }) => ({
    name,
    parse: types.getTypeParser(dataTypeID, 'text'),
  }));
  return rows.map((texts) => {
    const row: Record<string, unknown> = {};
    for (const [index, { name, parse }] of columns.entries()) {
      const text = texts[index] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    return row;
  });
}
