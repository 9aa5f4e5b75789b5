import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/types.ts';
import { ConflictError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { isStoreName } from './address.ts';
import { lastChange } from './last-change.ts';
import { isLeftOver } from './left-over.ts';
import { closedEverywhereAfter, lookInterval } from './look-interval.ts';
import { type Closable, OpenStores } from './open-stores.ts';
import { StoreProblems } from './problems.ts';
import { noStore, notClosed, requireReadable, taken, tooMany, unfinished } from './refusals.ts';
import {
  countStores,
  deleteStore,
  insertStore,
  selectNamed,
  selectPage,
  selectStore,
  updateStore,
} from './registry.ts';
import type { StoreServiceOptions } from './service-options.ts';
import {
  type DeletionOptions,
  isReadable,
  isUnfinished,
  type ListedStore,
  mainServer,
  type NewStore,
  type Store,
  type StoreChange,
  type StorePage,
  type StoreQuery,
  type StoreService,
  type StoreState,
  type StoreUse,
} from './types.ts';
import { selectUnnamedServers } from './unnamed-servers.ts';
import { forOperator, MissingDatabaseError, UnusableStoreError, usable } from './unusable-store.ts';

/** The stores beside the default one, in whose database they are registered. */
export function createStoreService<Opened extends Closable>(
  db: Database,
  options: StoreServiceOptions<Opened>,
): StoreService<Opened> {
  return new Stores(db, options);
}

class Stores<Opened extends Closable> implements StoreService<Opened> {
  readonly #db: Database;
  readonly #options: StoreServiceOptions<Opened>;
  readonly #logger: Logger;
  readonly #open: OpenStores<Opened>;
  readonly #problems: StoreProblems;
  /** The names of stores that this process is making or deleting. */
  readonly #busy = new Set<string>();
  /** The names of stores that are being checked. */
  readonly #checked = new Set<string>();
  /** How many changes of stores this process has made. */
  #changes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, options: StoreServiceOptions<Opened>) {
    this.#db = db;
    this.#options = options;
    this.#logger = options.logger;
    this.#problems = new StoreProblems(options.places.servers, options.logger);
    this.#open = new OpenStores({
      ...options,
      open: (store) => this.#openExisting(store),
      suspect: (store, opened) => void this.#check(store, opened),
    });
  }

  get servers(): readonly string[] {
    return this.#options.places.servers;
  }

  async warnOfUnnamedServers(): Promise<void> {
    this.#problems.warn(await this.#db.read((session) => selectUnnamedServers(session, this.servers)));
  }

  async list(query: StoreQuery): Promise<StorePage> {
    const found = await this.#db.read((session) => selectPage(session, query));
    const entries = found.slice(0, query.limit).map((store) => this.#listed(store));
    return { entries, next: found.length > query.limit ? entries.at(-1)?.name : undefined };
  }

  async find(name: string): Promise<ListedStore> {
    return this.#listed(await this.#registered(name));
  }

  async create({ name, server = mainServer, settings = {}, account }: NewStore): Promise<ListedStore> {
    this.#options.validate({ name, server, settings }, account);
    const store: Store = { name, server, state: 'creating', settings, created: Date.now() };
    const what = `The store ${name} can't be made`;
    return this.#alone(name, () => forOperator(what, this.#make(store, account)));
  }

  async #make(store: Store, account: NewStore['account']): Promise<ListedStore> {
    const { name } = store;
    await this.#db.write(async (session) => {
      const holder = await selectStore(session, name);
      if (holder !== undefined) throw taken(holder);
      if ((await countStores(session)) >= this.#options.maxCount) {
        throw tooMany(this.#options.maxCount);
      }
      await insertStore(session, store);
    });
    try {
      await usable(store, this.#options.places.create(store));
    } catch (error) {
      // What is there belongs to somebody else.
      await this.#undo(store, async () => {});
      throw error;
    }
    try {
      await usable(store, this.#options.prepare(store, account));
      return await this.#advance(store, 'open');
    } catch (error) {
      await this.#undo(store, () => this.#options.places.drop(store));
      throw error;
    }
  }

  async change(name: string, { state, settings }: StoreChange): Promise<ListedStore> {
    const changed = await this.#db.write(async (session) => {
      const store = await selectStore(session, name);
      if (store === undefined) throw noStore(name);
      if (isUnfinished(store)) throw unfinished(store);
      const next = { ...store, state: state ?? store.state, settings: settings ?? store.settings };
      if (settings !== undefined) this.#options.validate(next);
      await updateStore(session, next);
      return next;
    });
    this.#changes += 1;
    if (changed.state === 'closed') void this.#open.revoke(name);
    else if (state === 'read-only') await lastChange(name, this.#open.endWrites(name));
    else this.#open.dismiss(name);
    return this.#listed(changed);
  }

  async delete(name: string, { entryOnly = false }: DeletionOptions = {}): Promise<void> {
    // A deletion of nothing does not keep anybody from making a store of that name.
    await this.#registered(name);
    return this.#alone(name, async () => {
      const store = await this.#registered(name);
      if (isReadable(store) || store.state === 'moving') throw notClosed(store, 'deleted');
      const what = `The store ${name} can't be deleted`;
      // A server that does not answer now may be back later, and the store with it.
      if (!entryOnly) await forOperator(what, usable(store, this.#options.places.exists(store)));
      await this.#advance(store, 'deleting');
      await this.#closedEverywhere(name);
      if (!entryOnly) await forOperator(what, usable(store, this.#options.places.drop(store)));
      await this.#db.write((session) => deleteStore(session, store));
      this.#problems.forget(name);
    });
  }

  /** Resolves when no process has the store open: the next one of its name must not get what is still sent to this one. */
  async #closedEverywhere(name: string): Promise<void> {
    this.#changes += 1;
    await Promise.all([this.#open.revoke(name), sleep(closedEverywhereAfter)]);
  }

  async enter(name: string, client?: string): Promise<StoreUse<Opened>> {
    const joined = await this.#open.join(name);
    if (joined !== undefined) return joined;
    if (client !== undefined) await this.#options.admit(client);
    const changes = this.#changes;
    const store = isStoreName(name)
      ? await this.#db.read((session) => selectStore(session, name))
      : undefined;
    // What was read may be out of date.
    if (changes !== this.#changes) return this.enter(name);
    requireReadable(name, store);
    const use = await this.#open.enter(store).catch((error) => this.#noteFailure(store, error));
    this.#watch();
    return use;
  }

  /** An empty database in place of one that was lost would look like the whole store. */
  async #openExisting(store: Store): Promise<Opened> {
    if (!(await this.#options.places.exists(store))) throw new MissingDatabaseError(store.name);
    const opened = await this.#options.open(store);
    // Nobody waits for it: where the write lock is taken, that lasts.
    void this.#check(store, opened);
    return opened;
  }

  /** Finds out whether an open store can be used; never throws. */
  async #check(store: Store, opened: Opened): Promise<void> {
    const { name } = store;
    if (this.#checked.has(name)) return;
    this.#checked.add(name);
    try {
      await usable(store, this.#options.check(opened));
      this.#problems.end(store);
    } catch (error) {
      // One that was closed meanwhile fails, too.
      if (error instanceof UnusableStoreError && this.#open.has(name)) this.#problems.note(store, error);
    } finally {
      this.#checked.delete(name);
    }
  }

  /** Until an operator decides, nobody looks for a missing database again. */
  async #noteFailure(store: Store, error: unknown): Promise<never> {
    if (error instanceof UnusableStoreError) this.#problems.note(store, error);
    if (!(error instanceof MissingDatabaseError)) throw error;
    this.#logger.error({ store: store.name, server: store.server }, 'the database of a store is missing');
    // Whoever has changed the store meanwhile has decided already.
    await this.#advance(store, 'missing').catch(() => {});
    throw error;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const { name } of this.#open.list()) this.#open.dismiss(name);
    await this.#open.closed();
  }

  /** What is made and deleted at the same time could leave a database behind, or remove that of another store. */
  async #alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(name)) throw new ConflictError(`The store ${name} is being made or deleted.`);
    this.#busy.add(name);
    try {
      return await work();
    } finally {
      this.#busy.delete(name);
    }
  }

  /** Forgets a store that could not be made. One that another process deletes meanwhile is left over only if its database is. */
  async #undo(store: Store, drop: () => Promise<void>): Promise<void> {
    try {
      await this.#advance(store, 'deleting');
      await drop();
      await this.#db.write((session) => deleteStore(session, store));
    } catch (error) {
      if (error instanceof ConflictError && !(await isLeftOver(this.#db, this.#options.places, store)))
        return;
      this.#logger.error({ err: error, store: store.name }, 'a store that could not be made is left over');
    }
  }

  async #registered(name: string): Promise<Store> {
    const store = await this.#db.read((session) => selectStore(session, name));
    if (store === undefined) throw noStore(name);
    return store;
  }

  /** @throws ConflictError when the store is no longer as it was read. */
  async #advance(store: Store, state: StoreState): Promise<ListedStore> {
    const changed = { ...store, state };
    await this.#db.write(async (session) => {
      const now = await selectStore(session, store.name);
      if (now?.created !== store.created || now.state !== store.state) {
        throw new ConflictError(`The store ${store.name} was changed or deleted meanwhile.`);
      }
      await updateStore(session, changed);
    });
    return this.#listed(changed);
  }

  readonly #listed = (store: Store): ListedStore => ({
    ...store,
    isInUse: this.#open.has(store.name),
    problem: this.#problems.of(store),
  });

  /** Looks at the open stores again and again, as long as there are any. */
  #watch(): void {
    this.#timer ??= setTimeout(() => {
      this.#look()
        // Without the database of the default store, the others go on as they are.
        .catch((error: unknown) => this.#logger.debug({ err: error }, 'stores could not be looked at'))
        .finally(() => {
          this.#timer = undefined;
          if (this.#open.list().length > 0) this.#watch();
        });
    }, lookInterval).unref();
  }

  /** Closes stores that are idle, and those that another process has changed or deleted. */
  async #look(): Promise<void> {
    this.#open.dismissIdle();
    this.#open.suspect((store) => this.#problems.of(store) !== undefined);
    const open = this.#open.list();
    if (open.length === 0) return;
    const names = open.map(({ name }) => name);
    const registered = await this.#db.read((session) => selectNamed(session, names));
    const present = new Map(registered.map((store) => [store.name, store]));
    for (const store of open) {
      const now = present.get(store.name);
      if (now?.created !== store.created || !isReadable(now)) void this.#open.revoke(store.name);
      else if (now.state === 'read-only' && store.state !== now.state) void this.#open.endWrites(store.name);
      else if (JSON.stringify(now) !== JSON.stringify(store)) this.#open.dismiss(store.name);
    }
  }
}
