import { type EngineFamily, factsOf } from '../lib/db/dialects/facts.ts';
import type { Engine, ScratchDatabase } from '../scripts/scratch-database.ts';
import { threadSeconds, usageOf } from './usage.ts';

/** The threads of a database's server that work for connections to the database; SQLite works in the process that uses it. */
const threadsSql: Partial<Record<EngineFamily, (name: string) => string>> = {
  postgres: () =>
    'SELECT pid AS thread FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  mariadb: (name) => `SELECT tid AS thread FROM information_schema.processlist WHERE db = '${name}'`,
};

/**
 * The CPU time of a server and of its connections to a database on the same machine. Unlike its rate, it hardly depends on what
 * else the machine does. What the database's server does for all connections together, such as flushing, is left out.
 */
export class ProcessorTime {
  readonly #pid: number;
  readonly #database: ScratchDatabase;
  readonly #sql: string | undefined;
  /** Of each thread of the database's server, also those that have ended: seconds. */
  readonly #threads = new Map<number, number>();

  constructor(pid: number, engine: Engine, database: ScratchDatabase) {
    this.#pid = pid;
    this.#database = database;
    this.#sql = engine === 'memory' ? undefined : threadsSql[factsOf(engine).family]?.(database.name);
  }

  /** Seconds so far; NaN where /proc does not tell. */
  async read(): Promise<number> {
    const own = usageOf(this.#pid)?.cpuSeconds ?? Number.NaN;
    if (this.#sql === undefined) return own;
    for (const { thread } of await this.#database.query<{ thread: number | bigint }>(this.#sql)) {
      const id = Number(thread);
      this.#threads.set(id, threadSeconds(id) ?? this.#threads.get(id) ?? 0);
    }
    return [...this.#threads.values()].reduce((sum, seconds) => sum + seconds, own);
  }
}
