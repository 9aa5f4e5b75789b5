import type { Closable, OpenStoresOptions } from './open-stores.ts';
import type { NewStore, Store } from './types.ts';

/** Where the databases of stores are made, and removed. */
export interface StorePlaces {
  /** The names of the database servers. */
  readonly servers: readonly string[];
  /** Makes an empty database for the store. @throws UnavailableError, DatabaseUnusableError */
  create(store: Store): Promise<void>;
  /** Whether its database is there. @throws UnavailableError, DatabaseUnusableError */
  exists(store: Store): Promise<boolean>;
  /** Removes its database, if it is there. @throws UnavailableError, DatabaseUnusableError */
  drop(store: Store): Promise<void>;
}

export interface StoreServiceOptions<Opened extends Closable>
  extends Omit<OpenStoresOptions<Opened>, 'suspect'> {
  readonly places: StorePlaces;
  /** Whether an open store can be used. @throws UnavailableError */
  readonly check: (opened: Opened) => Promise<void>;
  /** Counts that a client needs a store opened. @throws TooManyRequestsError */
  readonly admit: (client: string) => Promise<void> | undefined;
  /** @throws InvalidError for a name or settings that can't be, or an account against the rules. */
  readonly validate: (
    store: Pick<Store, 'name' | 'server' | 'settings'>,
    account?: NewStore['account'],
  ) => void;
  /** Opens a new store and makes its first account. @throws InvalidError */
  readonly prepare: (store: Store, account: NewStore['account']) => Promise<void>;
  readonly maxCount: number;
}
