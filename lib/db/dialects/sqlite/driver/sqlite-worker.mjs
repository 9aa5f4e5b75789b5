import { parentPort } from 'node:worker_threads';

// The thread of one connection of `node-driver.ts`: it runs each task it is sent, and answers with the result or the error.

const { DatabaseSync } = process.getBuiltinModule('node:sqlite');

/** SQLite's primary result codes that have a meaning for callers. */
const codes = new Map([
  [1, 'SQLITE_ERROR'],
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [9, 'SQLITE_INTERRUPT'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [17, 'SQLITE_SCHEMA'],
  [18, 'SQLITE_TOOBIG'],
  [19, 'SQLITE_CONSTRAINT'],
  [20, 'SQLITE_MISMATCH'],
  [21, 'SQLITE_MISUSE'],
  [25, 'SQLITE_RANGE'],
  [26, 'SQLITE_NOTADB'],
]);

let database;
const statements = new Map();

const tasks = {
  open({ file, readOnly }) {
    database = new DatabaseSync(file, { readOnly });
  },
  exec({ sql }) {
    database.exec(sql);
  },
  prepare({ statement, sql }) {
    statements.set(statement, database.prepare(sql));
  },
  all({ sql, values }) {
    return { rows: rowsOf(database.prepare(sql), values) };
  },
  run({ sql, values }) {
    const prepared = database.prepare(sql);
    const { lastInsertRowid, changes } = Array.isArray(values)
      ? prepared.run(...values)
      : prepared.run(values);
    return { lastID: Number(lastInsertRowid), changes: Number(changes) };
  },
  allPrepared({ statement, values }) {
    return { rows: rowsOf(statements.get(statement), values) };
  },
  /** An iterator that nobody asks for a row only replaces the values. */
  clear({ statement }) {
    statements.get(statement)?.iterate();
  },
  finalize({ statement }) {
    statements.delete(statement);
  },
  close() {
    database.close();
  },
};

function rowsOf(prepared, values) {
  return Array.isArray(values) ? prepared.all(...values) : prepared.all(values);
}

function errorOf(error) {
  const errno = (error.errcode ?? 0) & 0xff;
  const code = codes.get(errno) ?? error.code ?? 'SQLITE_ERROR';
  return { code, errno, message: `${code}: ${error.message}` };
}

parentPort.on('message', ({ id, kind, ...task }) => {
  let result;
  try {
    result = tasks[kind](task);
  } catch (error) {
    parentPort.postMessage({ id, error: errorOf(error) });
    return;
  }
  parentPort.postMessage({ id, ...result });
  if (kind === 'close') parentPort.close();
});
