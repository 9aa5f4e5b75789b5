import { setTimeout as sleep } from 'node:timers/promises';
import type { DriverConnection, ServerConnection, ServerEngine } from './engine.ts';
import { ResponseTimeoutError } from './network-error.ts';

/** How long (ms) a server may take to respond, and how often a replica is checked while it works. */
const silence = 2000;

/** @throws ResponseTimeoutError when a server does not respond in time. Then the connection counts as lost, and is closed. */
export async function inTime<T>(response: Promise<T>): Promise<T> {
  const late = new AbortController();
  const refused = sleep(silence, undefined, { signal: late.signal }).then(() => {
    throw new ResponseTimeoutError();
  });
  try {
    return await Promise.race([response, refused]);
  } finally {
    late.abort();
    refused.catch(() => {});
  }
}

/** Whether a replica still responds, which neither a long read nor a pool without a free connection tells. */
export class Liveness {
  readonly #engine: ServerEngine;
  #checking: Promise<boolean> | undefined;

  constructor(engine: ServerEngine) {
    this.#engine = engine;
  }

  /** Whether it responds on a new connection. Callers share a check. */
  responds(): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Abandons the connection, on which the work then fails, when the replica falls silent during the work. */
  async whileWorking<T>(lent: DriverConnection, work: () => Promise<T>): Promise<T> {
    let isWorking = true;
    const timer = setInterval(async () => {
      const responds = await this.responds();
      if (!responds && isWorking) this.#engine.abandon(lent);
    }, silence);
    try {
      return await work();
    } finally {
      isWorking = false;
      clearInterval(timer);
    }
  }

  async #check(): Promise<boolean> {
    try {
      await onNewConnection(this.#engine, (connection) => connection.select('SELECT 1 AS response'));
      return true;
    } catch {
      return false;
    }
  }
}

/** Opens a connection for a query, and closes it. @throws ResponseTimeoutError when the server does not respond in time. */
export async function onNewConnection<T>(
  engine: ServerEngine,
  query: (connection: ServerConnection) => Promise<T>,
): Promise<T> {
  const opening = engine.open(engine.hosts.current);
  try {
    const opened = await inTime(opening);
    return await inTime(query(engine.connection(opened, 'read')));
  } finally {
    opening.then((opened) => engine.abandon(opened)).catch(() => {});
  }
}
