import type { Database } from '../../db/types.ts';

/** The SQL with which the engine reorganises the index; undefined where reading does not need it. */
export function upkeepSql({ dialect }: Pick<Database, 'dialect'>): string | undefined {
  return dialect.upkeepOf('statement_key');
}

/** The number of statements between two runs. */
const defaultEvery = 20_000;

/** Lets the engine reorganise the index while it grows, where reading needs it. No request waits for it. */
export class IndexUpkeep {
  readonly #db: Database;
  readonly #every: number;
  #stored: number;
  #running = false;

  /** @param every the number of stored statements between two runs; for tests. */
  constructor(db: Database, every: number = defaultEvery) {
    this.#db = db;
    this.#every = every;
    // Starts at a random count, so that many short-lived processes together run it as often as one.
    this.#stored = Math.floor(Math.random() * every);
  }

  /** Notes that this many further statements are stored. */
  note(statements: number): void {
    this.#stored += statements;
    if (this.#stored < this.#every || this.#running) return;
    this.#stored = 0;
    const sql = upkeepSql(this.#db);
    if (sql === undefined) return;
    this.#running = true;
    // After a failure reading is slower until the next run.
    this.#db
      .read((session) => session.select(sql), { maintenance: true })
      .catch(() => undefined)
      .finally(() => {
        this.#running = false;
      });
  }
}
