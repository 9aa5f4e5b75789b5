import type { Access } from '../server/engine.ts';
import type { PostgresQuery } from './sql.ts';

/** Settings of a session or a transaction, by name. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** Milliseconds that a transaction waits for a lock before it is retried. */
export const lockTimeout = 5_000;
/**
 * Milliseconds of idleness after which an open transaction is ended: shorter than the retries of others (lib/db/retry.ts),
 * so that a stopped process delays them without failing their requests.
 */
export const idleTransactionTimeout = 10_000;

/** After about ten seconds the server notices that a client has vanished without closing its connection. */
export const keepaliveSettings: PostgresSettings = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
};

/** The time limits of a transaction. */
export function timeoutSettings(statementTimeout: number): PostgresSettings {
  return {
    lock_timeout: String(lockTimeout),
    idle_in_transaction_session_timeout: String(idleTransactionTimeout),
    statement_timeout: String(statementTimeout),
  };
}

/**
 * How the server plans.
 *
 * What writes looks for a few rows at a time, each by an index. Left to itself, Postgres plans that once for a table that is
 * new and small, and goes through the whole of it from then on, until it is analysed a minute later. Where there is no index
 * for a query, the price that it sees then must not have it compiled.
 *
 * What reads walks an index in its order and stops when the page is full. Before the tables are analysed, Postgres takes every
 * key for a rare one, would rather gather all of its rows first, and sort them.
 */
export const plannerSettings: Readonly<Record<Access, PostgresSettings>> = {
  write: { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan', jit: 'off' },
  read: { enable_bitmapscan: 'off', jit: 'off' },
};

/** A statement that sets them until the end of the transaction, which may be that of the statement it is sent with. */
export function setLocally(settings: PostgresSettings): PostgresQuery {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return { text: `SELECT ${calls.join(', ')}`, values: [] };
}

/** The same for a whole session, as the startup message of a connection takes them (libpq, `options`). */
export function startupOptions(settings: PostgresSettings): string {
  const escaped = (text: string): string => text.replace(/[\\ ]/g, '\\$&');
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${escaped(value)}`)
    .join(' ');
}
