import { ConflictError, MaintenanceError, NotFoundError, UnavailableError } from '../errors.ts';
import { isReadable, isUnfinished, type Store } from './types.ts';
import { MissingDatabaseError } from './unusable-store.ts';

export const noStore = (name: string): NotFoundError => new NotFoundError(`There is no store named ${name}.`);

/** The store is being made or deleted, or that was interrupted. */
export const unfinished = ({ name, state }: Pick<Store, 'name' | 'state'>): ConflictError =>
  new ConflictError(
    `The ${state === 'creating' ? 'creation' : 'deletion'} of the store ${name} was interrupted or is under way: delete it.`,
  );

/** A new store can't have the name of this one. */
export const taken = (store: Pick<Store, 'name' | 'state'>): ConflictError =>
  isUnfinished(store)
    ? unfinished(store)
    : new ConflictError(`There is a store named ${store.name} already.`);

/** No store can be made beside those that there are. */
export const tooMany = (maxCount: number): ConflictError =>
  new ConflictError(
    `There are as many stores as may be (stores.storesMaxCount, LRS_STORES_MAX_COUNT: ${maxCount}).`,
  );

/** No change of the store may begin any more. */
export const noChanges = (name: string): MaintenanceError =>
  new MaintenanceError(`The store ${name} is read-only or closed at the moment.`);

/** The store is read-only, which is not true yet of changes that began before. */
export const stillChanged = (name: string): UnavailableError =>
  new UnavailableError(
    `The store ${name} is read-only now, but changes that began before are still being made; make it read-only again to wait for them.`,
  );

/** The store is in a state other than `closed`. */
export function notClosed(store: Pick<Store, 'name' | 'state'>, purpose: string): ConflictError {
  const { name, state } = store;
  if (isUnfinished(store)) return unfinished(store);
  if (state === 'missing') {
    return new ConflictError(
      `The database of the store ${name} is missing; bring it back and close the store before it is ${purpose}.`,
    );
  }
  const condition = state === 'moving' ? 'if no move is running, close it' : 'close it';
  return new ConflictError(`The store ${name} is ${state}; ${condition} before it is ${purpose}.`);
}

/** @throws NotFoundError when there is no store of the name; MissingDatabaseError; MaintenanceError when it is closed or moving. */
export function requireReadable(name: string, store: Store | undefined): asserts store is Store {
  if (store === undefined || isUnfinished(store)) throw noStore(name);
  if (store.state === 'missing') throw new MissingDatabaseError(name);
  if (!isReadable(store)) throw new MaintenanceError(`The store ${name} is closed at the moment.`);
}
