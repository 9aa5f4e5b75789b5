import { Worker } from 'node:worker_threads';
import type {
  Done,
  DriverDatabase,
  DriverStatement,
  DriverValue,
  DriverValues,
  Rows,
  SqliteDriver,
} from './driver.ts';

/* The flags of SQLite's `sqlite3_open_v2`. */
const [readOnly, readWrite, create] = [0x1, 0x2, 0x4];

/** What `sqlite-worker.mjs` is asked for. */
type Task =
  | { readonly kind: 'open'; readonly file: string; readonly readOnly: boolean }
  | { readonly kind: 'exec'; readonly sql: string }
  | { readonly kind: 'prepare'; readonly statement: number; readonly sql: string }
  | { readonly kind: 'all' | 'run'; readonly sql: string; readonly values: unknown }
  | { readonly kind: 'allPrepared'; readonly statement: number; readonly values: unknown }
  | { readonly kind: 'clear' | 'finalize'; readonly statement: number }
  | { readonly kind: 'close' };

interface Result {
  readonly rows?: Record<string, unknown>[];
  readonly lastID?: number;
  readonly changes?: number;
}

interface Answer extends Result {
  readonly id: number;
  readonly error?: { readonly code: string; readonly errno: number; readonly message: string };
}

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** The thread of one connection, which takes its tasks in order. It does not keep the process alive while it has none. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor() {
    this.#worker = new Worker(new URL('./sqlite-worker.mjs', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('The thread of a SQLite connection has ended.')));
  }

  run(task: Task): Promise<Result> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.#worker.postMessage({ id: this.#lastId, ...task });
    });
  }

  #settle({ id, error, ...result }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(Object.assign(new Error(error.message), { code: error.code, errno: error.errno }));
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

/** What Sequelize reads about a write, as `this` of its callback. */
type Written = (this: { readonly lastID: number; readonly changes: number }, error: Error | null) => void;

class NodeDatabase implements DriverDatabase {
  readonly filename: string;
  readonly #thread = new Thread();
  #statements = 0;

  constructor(file: string, mode: number, opened: (this: DriverDatabase, error: Error | null) => void) {
    this.filename = file;
    const task: Task = { kind: 'open', file, readOnly: (mode & readOnly) !== 0 };
    report(this.#thread.run(task), (error) => opened.call(this, error));
  }

  configure(_option: 'busyTimeout', ms: number): void {
    this.exec(`PRAGMA busy_timeout = ${ms}`);
  }

  exec(sql: string, done?: Done): void {
    report(this.#thread.run({ kind: 'exec', sql }), done);
  }

  prepare(sql: string, done?: Done): DriverStatement {
    this.#statements += 1;
    report(this.#thread.run({ kind: 'prepare', statement: this.#statements, sql }), done);
    return new NodeStatement(this.#thread, this.#statements);
  }

  all<Row>(sql: string, ...rest: [DriverValues, Rows<Row>] | [Rows<Row>]): void {
    const [values, done] = withValues(rest);
    reportRows(this.#thread.run({ kind: 'all', sql, values: bindable(values) }), done);
  }

  /** For Sequelize. */
  run(sql: string, ...rest: [DriverValues, Written] | [Written] | []): void {
    const [values, done] = withValues<Written | undefined>(rest);
    const written = this.#thread.run({ kind: 'run', sql, values: bindable(values) });
    written.then(
      ({ lastID = 0, changes = 0 }) => done?.call({ lastID, changes }, null),
      (error) => done?.call({ lastID: 0, changes: 0 }, error),
    );
  }

  /** For Sequelize. Statements run one after another in any case. */
  serialize(work: () => void): void {
    work();
  }

  close(done?: Done): void {
    report(this.#thread.run({ kind: 'close' }), done);
  }
}

class NodeStatement implements DriverStatement {
  readonly #thread: Thread;
  readonly #statement: number;

  constructor(thread: Thread, statement: number) {
    this.#thread = thread;
    this.#statement = statement;
  }

  all<Row>(values: DriverValues, done: Rows<Row>): void {
    const task: Task = { kind: 'allPrepared', statement: this.#statement, values: bindable(values) };
    reportRows(this.#thread.run(task), done);
  }

  bind(_: readonly null[]): void {
    report(this.#thread.run({ kind: 'clear', statement: this.#statement }));
  }

  /** The SQLite in Node.js has done that when a use fails. */
  reset(done: Done): void {
    done(null);
  }

  finalize(done?: Done): void {
    report(this.#thread.run({ kind: 'finalize', statement: this.#statement }), done);
  }
}

/** The SQLite of Node.js behind the interface of the package `sqlite3`, each connection in a thread of its own. */
export const nodeSqliteDriver: SqliteDriver = {
  OPEN_READONLY: readOnly,
  OPEN_READWRITE: readWrite,
  OPEN_CREATE: create,
  Database: NodeDatabase,
};

function withValues<Callback>(
  rest: [DriverValues, Callback] | [Callback] | [],
): [DriverValues, Callback | undefined] {
  if (rest.length === 2) return rest;
  return [[], rest[0]];
}

function report(outcome: Promise<unknown>, done: Done = () => {}): void {
  outcome.then(() => done(null), done);
}

function reportRows<Row>(outcome: Promise<Result>, done: Rows<Row> = () => {}): void {
  outcome.then(
    // The SQL says what a row has.
    ({ rows = [] }) => done(null, withBuffers(rows) as Row[]),
    (error) => done(error, []),
  );
}

/** Values as the SQLite of Node.js takes them. */
function bindable(values: DriverValues): unknown {
  if (Array.isArray(values)) return values.map(boundValue);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, boundValue(value)]));
}

function boundValue(value: DriverValue): unknown {
  if (typeof value === 'boolean') return Number(value);
  // A message to a thread takes all of the memory that a view lies in.
  if (Buffer.isBuffer(value) && value.byteLength < value.buffer.byteLength) return Uint8Array.from(value);
  return value;
}

/** Rows whose bytes are buffers. */
function withBuffers(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (value instanceof Uint8Array)
        row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  }
  return rows;
}
