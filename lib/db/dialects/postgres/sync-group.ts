import type pgModule from 'pg';
import type { Connection, CustomTypesConfig, FieldDef } from 'pg';
import type { PostgresQuery } from './sql.ts';

/** The result of a statement. */
export interface Outcome<Row> {
  readonly rows: Row[];
  /** The command tag, e.g. `COMMIT`. */
  readonly tag: string;
}

/** A row as the server sends it. */
type Texts = readonly (string | null)[];

/** A statement that was sent, and its result. */
export interface Sending {
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

/** Options of a group among those that are sent together. */
interface Place {
  readonly first: boolean;
  readonly last: boolean;
  /** Names of prepared statements that the server deallocates first; it ignores unknown ones. */
  readonly abandoned: readonly string[];
}

/**
 * The statements between two points of synchronisation (`Sync` messages), which succeed or fail together. It extends the
 * driver's `Query`, because the driver pipelines nothing else, but overrides each of its steps
 * (docs/decisions/0055-pipelining-on-postgres.md).
 */
export function syncGroupClass({ Query }: Pick<typeof pgModule, 'Query'>) {
  return class SyncGroup extends Query {
    readonly #sendings: readonly Sending[];
    readonly #place: Place;
    readonly #types: CustomTypesConfig;
    readonly #settle: (sending: Sending, succeeded: boolean) => void;
    #answered = 0;

    /** @param settle called for each statement with whether it has succeeded. */
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

    /** A value that cannot be encoded costs the connection: the server would wait for the rest for ever. */
    override submit = (connection: Connection): void => {
      const { stream } = connection;
      if (this.#place.first) stream.cork();
      try {
        for (const name of this.#place.abandoned) connection.close({ type: 'S', name }, true);
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
