import { UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Store, StoreUse } from './types.ts';
import { usable } from './unusable-store.ts';

/** What is open of a store. */
export interface Closable {
  close(): Promise<void>;
}

export interface OpenStoresOptions<Opened extends Closable> {
  /** @throws UnavailableError, DatabaseUnusableError */
  readonly open: (store: Store) => Promise<Opened>;
  /** Told of a store that is open, and in which a request failed without being at fault. */
  readonly suspect: (store: Store, opened: Opened) => void;
  /** Most stores that are open at the same time. */
  readonly maxOpen: number;
  /** Milliseconds after which a store that nobody uses is closed. */
  readonly idleTimeout: number;
  readonly logger: Logger;
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number;
}

interface Entry<Opened> {
  /** As it was when it was opened. */
  readonly store: Store;
  readonly opened: Promise<Opened>;
  users: number;
  lastUse: number;
  /** Whether it is to be closed as soon as nobody uses it. */
  isLeaving: boolean;
  isOpening: boolean;
  /** Aborted when nothing of the store may be read any more. */
  readonly end: AbortController;
}

/** How many stores of one database server are opened at the same time: one that does not answer is in nobody else's way. */
const mostOpenings = 4;

/**
 * The open databases of stores, bounded in number: one that is opened takes the place of the one that has been idle for the
 * longest.
 */
export class OpenStores<Opened extends Closable> {
  readonly #options: OpenStoresOptions<Opened>;
  readonly #now: () => number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<Opened>>();
  /** Those that are closed as soon as their last user leaves. */
  readonly #leaving = new Set<Entry<Opened>>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: OpenStoresOptions<Opened>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The stores that are open, as they were when they were opened. */
  list(): readonly Store[] {
    return [...this.#entries.values()].map(({ store }) => store);
  }

  /** Uses the store if it is open. */
  async join(name: string): Promise<StoreUse<Opened> | undefined> {
    const entry = this.#entries.get(name);
    return entry && this.#use(entry);
  }

  /**
   * Opens a store that is not open, and uses it.
   * @throws UnavailableError when there is no room; UnusableStoreError when the database can't be used; what else `open` throws.
   */
  async enter(store: Store): Promise<StoreUse<Opened>> {
    return this.#use(this.#entries.get(store.name) ?? this.#begin(store));
  }

  async #use(entry: Entry<Opened>): Promise<StoreUse<Opened>> {
    const { name } = entry.store;
    entry.users += 1;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    let hasLeft = false;
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      entry.users -= 1;
      entry.lastUse = this.#now();
      if (entry.isLeaving && entry.users === 0) this.#end(entry);
    };
    try {
      const opened = await entry.opened;
      // What is closed fails whatever it is asked.
      const suspect = (): void => {
        if (this.#entries.get(name) === entry) this.#options.suspect(entry.store, opened);
      };
      return { opened, ended: entry.end.signal, leave, suspect };
    } catch (error) {
      entry.users -= 1;
      throw error;
    }
  }

  #begin(store: Store): Entry<Opened> {
    this.#makeRoom(store);
    const opened = usable(store, this.#options.open(store));
    const state = { users: 0, lastUse: this.#now(), isLeaving: false, isOpening: true };
    const entry: Entry<Opened> = { store, opened, ...state, end: new AbortController() };
    this.#entries.set(store.name, entry);
    opened.then(
      () => {
        entry.isOpening = false;
      },
      () => this.#forget(entry),
    );
    return entry;
  }

  #makeRoom({ server }: Store): void {
    const { maxOpen } = this.#options;
    const isOpening = (entry: Entry<Opened>): boolean => entry.isOpening && entry.store.server === server;
    if ([...this.#entries.values()].filter(isOpening).length >= mostOpenings) {
      throw new UnavailableError('Other stores are being opened; try again in a moment.');
    }
    // Those that are still being closed have their connections.
    if (this.#entries.size + this.#closing.size < maxOpen) return;
    const idle = [...this.#entries.values()].find(({ users }) => users === 0);
    if (idle === undefined) {
      throw new UnavailableError(
        `As many stores are in use as may be open (stores.storesMaxOpen, LRS_STORES_MAX_OPEN: ${maxOpen}); try again in a moment.`,
      );
    }
    this.dismiss(idle.store.name);
  }

  /** Closes the store as soon as nobody uses it; who uses it from now on opens it anew. */
  dismiss(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#forget(entry);
    entry.isLeaving = true;
    if (entry.users === 0) this.#end(entry);
    else this.#leaving.add(entry);
  }

  /** Closes the store like `dismiss`, and has those who still read from it stop: it is closed, or deleted. */
  revoke(name: string): void {
    this.dismiss(name);
    for (const entry of this.#leaving) if (entry.store.name === name) entry.end.abort();
  }

  /** Closes the stores that nobody has used for a while. */
  dismissIdle(): void {
    const since = this.#now() - this.#options.idleTimeout;
    for (const { store, users, lastUse } of [...this.#entries.values()]) {
      if (users === 0 && lastUse <= since) this.dismiss(store.name);
    }
  }

  /** Has the open stores checked of which `which` is true. */
  suspect(which: (store: Store) => boolean): void {
    for (const { store, opened } of this.#entries.values()) {
      if (!which(store)) continue;
      opened.then(
        (each) => this.#options.suspect(store, each),
        () => {},
      );
    }
  }

  /** Resolves when all stores are closed; call `dismiss` for them before. */
  async closed(): Promise<void> {
    while (this.#closing.size > 0) await Promise.all(this.#closing);
  }

  #forget(entry: Entry<Opened>): void {
    if (this.#entries.get(entry.store.name) === entry) this.#entries.delete(entry.store.name);
  }

  #end(entry: Entry<Opened>): void {
    const { store, opened } = entry;
    this.#leaving.delete(entry);
    const isOpen = opened.then(
      (each) => each.close(),
      () => undefined,
    );
    const ending = isOpen
      .catch((error: unknown) => {
        this.#options.logger.error({ err: error, store: store.name }, 'a store could not be closed');
      })
      .finally(() => this.#closing.delete(ending));
    this.#closing.add(ending);
  }
}
