import { type SpanAttributes, traced } from '../telemetry/trace.ts';
import type { ReadSession, TableShape, WriteSession } from './types.ts';

/** Characters of a statement that its span shows. */
const longestText = 2000;

/** A session whose statements are spans of the request that is being answered. Values of statements are in no span. */
export function tracedReads(session: ReadSession): ReadSession {
  return {
    dialect: session.dialect,
    options: session.options,
    model: (table) => session.model(table),
    select: (sql, replacements) => tracedSql(session, sql, session.select(sql, replacements)),
  };
}

/** The same for a transaction. */
export function tracedWrites(session: WriteSession): WriteSession {
  return {
    ...tracedReads(session),
    select: (sql, replacements) => tracedSql(session, sql, session.select(sql, replacements)),
    execute: (sql, replacements) => tracedSql(session, sql, session.execute(sql, replacements)),
    insert: (table, rows, options) => tracedRows(session, table, session.insert(table, rows, options)),
    upsert: (table, rows, replaced) => tracedRows(session, table, session.upsert(table, rows, replaced)),
    insertByKey: (table, rows) => tracedRows(session, table, session.insertByKey(table, rows)),
    send: (write) => session.send(write),
    onCommitting: (callback) => session.onCommitting(callback),
    afterCommit: (callback) => session.afterCommit(callback),
  };
}

function tracedSql<T>({ dialect }: ReadSession, sql: string, sent: Promise<T>): Promise<T> {
  const text = sql.trim().replace(/\s+/g, ' ').slice(0, longestText);
  const [operation = ''] = /^\w+/.exec(text) ?? [];
  const [, table = ''] = /\b(?:FROM|INTO|UPDATE) ([a-z_]+)/i.exec(text) ?? [];
  const name = table === '' ? operation : `${operation} ${table}`;
  return traced(name, sent, { ...attributesOf(dialect.name, operation, table), 'db.query.text': text });
}

function tracedRows<T>({ dialect }: ReadSession, { name }: TableShape, sent: Promise<T>): Promise<T> {
  return traced(`INSERT ${name}`, sent, attributesOf(dialect.name, 'INSERT', name));
}

function attributesOf(system: string, operation: string, table: string): SpanAttributes {
  return {
    'db.system.name': system,
    'db.operation.name': operation,
    ...(table !== '' && { 'db.collection.name': table }),
  };
}
