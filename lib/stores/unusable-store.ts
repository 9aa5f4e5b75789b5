import { DatabaseUnusableError } from '../db/unusable.ts';
import { LrsError, OutageError, UnavailableError } from '../errors.ts';
import { mainServer, type Store } from './types.ts';

/** Nothing is made in place of a database that was lost. */
export class MissingDatabaseError extends UnavailableError {
  constructor(name: string) {
    super(
      `The database of the store ${name} is missing. An operator of the default store can bring it back and open the store, or delete the store.`,
    );
  }
}

/** A store can't be used until somebody acts. The message is for its clients, who are told nothing about servers. */
export class UnusableStoreError extends OutageError {
  /** For the log and the operators of the default store. */
  readonly reason: string;

  constructor({ name, server }: Pick<Store, 'name' | 'server'>, cause: unknown) {
    super(`The database of the store ${name} can't be used; the log of the server says why.`, { cause });
    this.reason = reasonOf(cause, server);
  }
}

/**
 * What is wrong with the database of a store is not the fault of a request, nor for strangers to read.
 * @throws UnusableStoreError in place of what says that the database can't be used, or is unexpected.
 */
export async function usable<T>(store: Store, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isForClients = error instanceof LrsError && !(error instanceof UnavailableError);
    if (isForClients || error instanceof MissingDatabaseError) throw error;
    throw new UnusableStoreError(store, error);
  }
}

/** The same work, when an operator of the default store asks for it, who is told the reason. @throws UnavailableError */
export async function forOperator<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnusableStoreError)) throw error;
    throw new UnavailableError(`${what}: ${error.reason}`, { cause: error.cause });
  }
}

const setting = 'stores.storesServers';

/** Why a database can't be used, with the setting that says where its server is. */
export function reasonOf(error: unknown, server: string): string {
  const reason =
    explanationOf(error) ?? 'opening it fails unexpectedly; the log of the server has the error.';
  if (server === mainServer || reason.includes(setting)) return reason;
  return `${reason} The store is on the server ${server}, whose settings are in ${setting} (LRS_STORES_SERVERS).`;
}

/** The innermost sentence that somebody has written for operators. */
function explanationOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = explanationOf(error.cause);
  if (inner !== undefined) return inner;
  return error instanceof DatabaseUnusableError || error instanceof LrsError ? error.message : undefined;
}
