import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ChosenState, StoreSettings, StoreState } from '../../../lib/stores/types.ts';
import { home } from '../observable/home.ts';
import { addressOf } from './address.ts';
import { callAdmin, sendAdmin } from './client.ts';

export interface Store {
  readonly name: string;
  /** The database server. */
  readonly server: string;
  readonly state: StoreState;
  readonly settings: StoreSettings;
  readonly created: string;
  /** Why it can't be used; absent where nothing is known to be wrong. */
  readonly problem?: { readonly text: string; readonly since: string };
}

interface StorePage {
  readonly stores: readonly Store[];
  readonly more: string;
  /** The database servers on which stores can be made. */
  readonly servers: readonly string[];
}

const pageSize = 50;

const queryKey = ['stores'];

/** The stores beside this one, page by page, by name. */
export const storesQuery = infiniteQueryOptions({
  queryKey,
  queryFn: ({ pageParam, signal }) =>
    callAdmin<StorePage>('stores', {
      query: { limit: pageSize, ...(pageParam !== '' && { after: pageParam }) },
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: ({ more }) => new URLSearchParams(more.split('?')[1]).get('after') ?? undefined,
});

export interface NewStore {
  readonly name: string;
  readonly server: string;
  readonly settings: StoreSettings;
  readonly account: { readonly username: string; readonly password: string };
}

export async function createStore(store: NewStore): Promise<void> {
  await sendAdmin('stores', { method: 'POST', json: store });
}

interface StoreChange {
  readonly state?: ChosenState;
  /** All of them: those that are left out are as in the configuration. */
  readonly settings?: StoreSettings;
}

export async function changeStore(name: string, change: StoreChange): Promise<void> {
  await sendAdmin(`stores/${name}`, { method: 'PUT', json: change });
}

/** The address of a file with all that the store has, without secrets; it is good once. */
export async function storeExportAddress(name: string): Promise<string> {
  const { 'json-web-token': token } = await callAdmin<{ readonly 'json-web-token': string }>('csv/auth');
  return addressOf('admin/export', { token, contents: 'everything', gzip: true, store: name });
}

/** @param entryOnly whether its database stays. */
export async function deleteStore(name: string, entryOnly: boolean): Promise<void> {
  await sendAdmin(`stores/${name}`, { method: 'DELETE', json: { name, 'entry-only': entryOnly } });
}

/** The address of the screen of a store. */
export const storeAddress = (name: string): string => new URL(`stores/${name}/`, home).toString();
