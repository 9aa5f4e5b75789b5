/**
 * - `creating`: its database is being made, or that has failed: it can only be deleted.
 * - `open`: in use.
 * - `read-only`: everything can be read, and every change is refused.
 * - `closed`: every request is refused.
 * - `moving`: closed while its database is copied to another server, or that was interrupted. Who opens or closes it ends the move.
 * - `missing`: its database was not there when it was to be opened; nothing is made in its place.
 * - `deleting`: its database is being removed, or that has failed: the deletion can be repeated.
 */
export const storeStates = [
  'creating',
  'open',
  'read-only',
  'closed',
  'moving',
  'missing',
  'deleting',
] as const;
export type StoreState = (typeof storeStates)[number];

/** The states that an operator may choose. */
export const chosenStates = ['open', 'read-only', 'closed'] as const satisfies readonly StoreState[];
export type ChosenState = (typeof chosenStates)[number];

/** Settings of the configuration (`lrs`) that a store may have for itself. */
export interface StoreSettings {
  readonly authorityUrl?: string;
  readonly enableReactions?: boolean;
  readonly enableStrictVersion?: boolean;
  readonly stmtGetDefault?: number;
  readonly stmtGetMax?: number;
}

/** The database server of the default store. */
export const mainServer = 'main';

/** A store beside the default one: a complete LRS with a database of its own. */
export interface Store {
  /** As in its address. */
  readonly name: string;
  /** The name of the database server that it is on; `main` is that of the default store. */
  readonly server: string;
  readonly state: StoreState;
  readonly settings: StoreSettings;
  /** When it was made, in milliseconds since the epoch. */
  readonly created: number;
}

/** Whether requests are answered from the store. */
export const isReadable = ({ state }: Pick<Store, 'state'>): boolean =>
  state === 'open' || state === 'read-only';

/** Whether the store is being made or deleted, or that was interrupted. */
export const isUnfinished = ({ state }: Pick<Store, 'state'>): boolean =>
  state === 'creating' || state === 'deleting';

/** Why a store can't be used. */
export interface StoreProblem {
  /** A sentence for operators of the default store. */
  readonly text: string;
  /** When this process found it first, in milliseconds since the epoch. */
  readonly since: number;
}

/** A store as an operator sees it. */
export interface ListedStore extends Store {
  /** Whether this process has its database open. */
  readonly isInUse: boolean;
  /** As this process last found it; undefined where nothing is known to be wrong. */
  readonly problem: StoreProblem | undefined;
}

export interface NewStore {
  readonly name: string;
  readonly server?: string | undefined;
  readonly settings?: StoreSettings | undefined;
  /** Its first account. */
  readonly account: { readonly username: string; readonly password: string };
}

export interface StoreChange {
  readonly state?: ChosenState | undefined;
  readonly settings?: StoreSettings | undefined;
}

export interface DeletionOptions {
  /** Whether the database stays as it is, and only the store is forgotten: its server may be lost. */
  readonly entryOnly?: boolean;
}

export interface StoreQuery {
  readonly limit: number;
  /** Only names after this one. */
  readonly after?: string | undefined;
}

export interface StorePage {
  readonly entries: readonly ListedStore[];
  /** The name after which the next page begins; undefined on the last page. */
  readonly next: string | undefined;
}

/** A store that is open, for one request. */
export interface StoreUse<Opened> {
  /** Refuses everything once the store has been closed or deleted. */
  readonly opened: Opened;
  /**
   * Call it when the request is complete and before it changes anything: a store becomes read-only when the changes that have
   * begun are made.
   * @throws MaintenanceError when the store has been made read-only, closed or deleted.
   */
  beginWrite(): void;
  /** Call it when the request is answered: the database of a store may be closed when nobody uses it. */
  leave(): void;
  /** Call it when the request failed and that is not its own fault: the store may not be usable any more. */
  suspect(): void;
}

/** The stores of an installation, beside the default one. */
export interface StoreService<Opened> {
  /** The names of the database servers on which stores can be made. */
  readonly servers: readonly string[];
  /** Logs a warning for each database server that has stores and is not configured. */
  warnOfUnnamedServers(): Promise<void>;
  /** In the order of their names. */
  list(query: StoreQuery): Promise<StorePage>;
  /** @throws NotFoundError */
  find(name: string): Promise<ListedStore>;
  /**
   * Makes a store with its database, its schema and its first account.
   * @throws InvalidError for a name or server that can't be, or an account against the rules; ConflictError when there is a
   *   store of that name, or are as many as may be; UnavailableError when the database can't be made.
   */
  create(store: NewStore): Promise<ListedStore>;
  /**
   * Resolves for a store that becomes read-only when this process has made the last change of it, and others begin no more.
   * @throws NotFoundError; ConflictError for a store that is being made or deleted; UnavailableError when the store is read-only
   *   and changes that began before last too long.
   */
  change(name: string, change: StoreChange): Promise<ListedStore>;
  /**
   * Removes a closed store with everything in it.
   * @throws NotFoundError; ConflictError when it is not closed, or is being made; UnavailableError when its database can't be
   *   removed.
   */
  delete(name: string, options?: DeletionOptions): Promise<void>;
  /**
   * Opens the store if it is not open.
   * @param client the address of the client that asks; what it has opened counts as its requests do.
   * @throws TooManyRequestsError when the client may not have more opened; NotFoundError when there is none; MaintenanceError when it is closed; UnavailableError when its database is missing
   *   or can't be opened, or as many stores are in use as may be open.
   */
  enter(name: string, client?: string): Promise<StoreUse<Opened>>;
  /** Closes all that are open, when their requests are answered. */
  close(): Promise<void>;
}
