import type { Logger } from '../logger.ts';
import type { Store, StoreProblem } from './types.ts';
import { adviceAbout, type UnnamedServer } from './unnamed-servers.ts';
import type { UnusableStoreError } from './unusable-store.ts';

interface Known extends StoreProblem {
  /** When the store was made: another one may have its name later. */
  readonly created: number;
}

/** Why stores can't be used, as this process last found them. */
export class StoreProblems {
  readonly #servers: readonly string[];
  readonly #logger: Logger;
  readonly #known = new Map<string, Known>();
  readonly #start = Date.now();

  /** @param servers the names of the database servers that are configured. */
  constructor(servers: readonly string[], logger: Logger) {
    this.#servers = servers;
    this.#logger = logger;
  }

  /** What is wrong with the store; undefined where nothing is known. */
  of({ name, server, created }: Store): StoreProblem | undefined {
    if (!this.#servers.includes(server)) return { text: adviceAbout(server), since: this.#start };
    const known = this.#known.get(name);
    return known?.created === created ? { text: known.text, since: known.since } : undefined;
  }

  /** Logs a problem once, however many requests find it. */
  note({ name, server, created }: Store, { reason, cause }: UnusableStoreError): void {
    const known = this.#known.get(name);
    const isNews = known?.text !== reason || known.created !== created;
    if (!isNews) return;
    const since = known?.created === created ? known.since : Date.now();
    this.#known.set(name, { text: reason, since, created });
    this.#logger.error({ err: cause, store: name, server }, `the store ${name} can't be used: ${reason}`);
  }

  /** The store is used again. */
  end({ name, server }: Pick<Store, 'name' | 'server'>): void {
    if (this.#known.delete(name))
      this.#logger.info({ store: name, server }, `the store ${name} is used again`);
  }

  /** Forgets a store that is deleted. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  /** Logs a warning for each server that has stores and is not configured. */
  warn(unnamed: readonly UnnamedServer[]): void {
    for (const { server, text } of unnamed) this.#logger.warn({ server }, text);
  }
}
