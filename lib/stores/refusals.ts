import { ConflictError, MaintenanceError, NotFoundError } from '../errors.ts';
import { isReadable, type Store } from './types.ts';
import { MissingDatabaseError } from './unusable-store.ts';

export const noStore = (name: string): NotFoundError => new NotFoundError(`There is no store named ${name}.`);

/** The store is being made or deleted, or that has failed. */
export const unfinished = ({ name, state }: Pick<Store, 'name' | 'state'>): ConflictError =>
  new ConflictError(`The store ${name} is ${state}; delete it.`);

export const notClosed = ({ name, state }: Pick<Store, 'name' | 'state'>, purpose: string): ConflictError =>
  new ConflictError(`The store ${name} is ${state}; close it before it is ${purpose}.`);

/** @throws NotFoundError when there is no store of the name; MissingDatabaseError; MaintenanceError when it is closed or moving. */
export function requireReadable(name: string, store: Store | undefined): asserts store is Store {
  if (store === undefined || store.state === 'creating' || store.state === 'deleting') throw noStore(name);
  if (store.state === 'missing') throw new MissingDatabaseError(name);
  if (!isReadable(store)) throw new MaintenanceError(`The store ${name} is closed at the moment.`);
}
