import type { Database } from '../../db/types.ts';

/** The SQL that has the engine look after the index; undefined where reading does not suffer without it. */
export function upkeepSql({ dialect }: Pick<Database, 'dialect'>): string | undefined {
  return dialect.upkeepOf('statement_key');
}

/** After how many statements the engine is asked again. */
const defaultEvery = 20_000;

/**
 * Has the engine look after the index by search key while it grows, where reading suffers otherwise. It takes its time for
 * that, while nobody waits.
 */
export class IndexUpkeep {
  readonly #db: Database;
  readonly #every: number;
  #stored: number;
  #running = false;

  /** @param every after how many stored statements it runs; for tests. */
  constructor(db: Database, every: number = defaultEvery) {
    this.#db = db;
    this.#every = every;
    // Starts at a random count, so that many short-lived processes together run it as often as one.
    this.#stored = Math.floor(Math.random() * every);
  }

  /** So many statements more are stored. */
  note(statements: number): void {
    this.#stored += statements;
    if (this.#stored < this.#every || this.#running) return;
    this.#stored = 0;
    const sql = upkeepSql(this.#db);
    if (sql === undefined) return;
    this.#running = true;
    // When it fails, reading takes longer until the next time.
    this.#db
      .read((session) => session.select(sql), { maintenance: true })
      .catch(() => undefined)
      .finally(() => {
        this.#running = false;
      });
  }
}
