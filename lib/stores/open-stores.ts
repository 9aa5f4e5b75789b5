import { UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { noChanges } from './refusals.ts';
import type { Store, StoreUse } from './types.ts';
import { usable } from './unusable-store.ts';

/** What is open of a store. */
export interface Closable {
  close(): Promise<void>;
}

export interface OpenStoresOptions<Opened extends Closable> {
  /** @throws UnavailableError, DatabaseUnusableError */
  readonly open: (store: Store) => Promise<Opened>;
  /** Ends what an open store changes by itself, such as the reactions of its feed; resolves when it has ended. */
  readonly stopBackground: (opened: Opened) => Promise<void>;
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
  /** How many of its users have begun a change. */
  writers: number;
  /** Called when none of them is left. */
  onWritten: (() => void)[];
  /** Set when no further change may begin; resolves when nothing in the background makes one. */
  backgroundEnd: Promise<void> | undefined;
  lastUse: number;
  isOpening: boolean;
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
  /** Those that are being closed. */
  readonly #closing = new Map<Entry<Opened>, Promise<void>>();

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
    let isWriter = false;
    const beginWrite = (): void => {
      if (entry.backgroundEnd !== undefined) throw noChanges(name);
      if (isWriter || hasLeft) return;
      isWriter = true;
      entry.writers += 1;
    };
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      entry.users -= 1;
      if (isWriter) entry.writers -= 1;
      if (entry.writers === 0) for (const written of entry.onWritten.splice(0)) written();
      entry.lastUse = this.#now();
      this.#endUnused(entry);
    };
    try {
      const opened = await entry.opened;
      // What is closed fails whatever it is asked.
      const suspect = (): void => {
        if (this.#entries.get(name) === entry) this.#options.suspect(entry.store, opened);
      };
      return { opened, beginWrite, leave, suspect };
    } catch (error) {
      leave();
      throw error;
    }
  }

  #begin(store: Store): Entry<Opened> {
    this.#makeRoom(store);
    const opened = usable(store, this.#options.open(store));
    const entry: Entry<Opened> = {
      store,
      opened,
      users: 0,
      writers: 0,
      onWritten: [],
      backgroundEnd: undefined,
      lastUse: this.#now(),
      isOpening: true,
    };
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
    this.#leaving.add(entry);
    this.#endUnused(entry);
  }

  /**
   * Closes the store as `dismiss` does, and lets none of its users begin a change any more.
   * @returns resolves when the changes that have begun are made, and nothing in the background makes another one.
   */
  async endWrites(name: string): Promise<void> {
    this.dismiss(name);
    await Promise.all(this.#refuseWrites(name).map((entry) => this.#written(entry)));
  }

  /** @returns the entries of the store, all of which were dismissed. */
  #refuseWrites(name: string): readonly Entry<Opened>[] {
    const entries = [...this.#leaving, ...this.#closing.keys()].filter(({ store }) => store.name === name);
    for (const entry of entries) entry.backgroundEnd ??= this.#stopBackground(entry);
    return entries;
  }

  async #stopBackground({ store, opened }: Entry<Opened>): Promise<void> {
    const isOpen = await opened.catch(() => undefined);
    if (isOpen === undefined) return;
    await this.#options.stopBackground(isOpen).catch((error: unknown) => {
      this.#options.logger.error(
        { err: error, store: store.name },
        'the reactions of a store could not be stopped',
      );
    });
  }

  async #written(entry: Entry<Opened>): Promise<void> {
    await (this.#closing.get(entry) ?? entry.backgroundEnd);
    if (entry.writers > 0) await new Promise<void>((resolve) => entry.onWritten.push(resolve));
  }

  /**
   * Closes the store at once: whatever its users still ask of it is refused, because a database of its name may soon be another
   * store's. Resolves when nothing of it is open.
   */
  async revoke(name: string): Promise<void> {
    this.dismiss(name);
    this.#refuseWrites(name);
    for (const entry of [...this.#leaving]) if (entry.store.name === name) this.#end(entry);
    await Promise.all(
      [...this.#closing].map(([{ store }, closing]) => (store.name === name ? closing : undefined)),
    );
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
    while (this.#closing.size > 0) await Promise.all(this.#closing.values());
  }

  #forget(entry: Entry<Opened>): void {
    if (this.#entries.get(entry.store.name) === entry) this.#entries.delete(entry.store.name);
  }

  #endUnused(entry: Entry<Opened>): void {
    if (entry.users === 0 && this.#leaving.has(entry)) this.#end(entry);
  }

  #end(entry: Entry<Opened>): void {
    const { store, opened } = entry;
    this.#leaving.delete(entry);
    const isOpen = opened.then(
      async (each) => {
        await entry.backgroundEnd;
        await each.close();
      },
      () => undefined,
    );
    const ending = isOpen
      .catch((error: unknown) => {
        this.#options.logger.error({ err: error, store: store.name }, 'a store could not be closed');
      })
      .finally(() => this.#closing.delete(entry));
    this.#closing.set(entry, ending);
  }
}
