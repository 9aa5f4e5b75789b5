import { ConflictError, NotFoundError } from '../errors.ts';
import type { Store } from './types.ts';

export const noStore = (name: string): NotFoundError => new NotFoundError(`There is no store named ${name}.`);

/** The store is being made or deleted, or that has failed. */
export const unfinished = ({ name, state }: Pick<Store, 'name' | 'state'>): ConflictError =>
  new ConflictError(`The store ${name} is ${state}; delete it.`);

export const notClosed = ({ name, state }: Pick<Store, 'name' | 'state'>, purpose: string): ConflictError =>
  new ConflictError(`The store ${name} is ${state}; close it before it is ${purpose}.`);
