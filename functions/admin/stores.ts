import { ForbiddenError, InvalidError, NotFoundError } from '../../lib/errors.ts';
import type { AdminCall, OpenCall, Step } from '../../lib/http/call.ts';
import { adminHandler, adminViewHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteMember, noteSubject } from '../../lib/http/operator-notes.ts';
import { json, noContent } from '../../lib/http/responses.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { checked } from '../../lib/schema.ts';
import type { ListedStore } from '../../lib/stores/types.ts';

/** Loaded with the first request that needs them, as the bodies of other routes are. */
const requestReaders = () => import('../../lib/stores/bodies.ts');

type StoreHandler = 'listStores' | 'createStore' | 'getStore' | 'changeStore' | 'deleteStore';

/** The stores beside the default one, for the operators of that. */
export function storeHandlers(open: Open): Record<StoreHandler, Handler> {
  const setting = { feature: 'Stores', isPlural: true, setting: 'stores.enableStores' };
  const first = [inDefaultStore(), requireSetting(({ stores }) => stores.enableStores, setting)];
  return {
    listStores: adminViewHandler(open, listStores, { first }),
    createStore: adminHandler(open, createStore, { first, note: noteMember('name') }),
    getStore: adminViewHandler(open, getStore, { first }),
    changeStore: adminHandler(open, changeStore, { first, note: noteStore }),
    deleteStore: adminHandler(open, deleteStore, { first, note: noteStore }),
  };
}

async function listStores({ lrs, query, externalPath }: AdminCall): Promise<HttpResponse> {
  const { readStoreParameters } = await requestReaders();
  const parameters = readStoreParameters(query);
  const service = storesOf(lrs);
  const { servers } = service;
  const { entries, next } = await service.list(parameters);
  const following = new URLSearchParams(query);
  if (next !== undefined) following.set('after', next);
  const more = next === undefined ? '' : `${externalPath}?${following}`;
  return json(200, { stores: entries.map(presented), more, servers });
}

async function createStore({ lrs, json: body }: AdminCall): Promise<HttpResponse> {
  const { newStoreSchema } = await requestReaders();
  return json(200, presented(await storesOf(lrs).create(checked(newStoreSchema, body))));
}

async function getStore({ lrs, path }: AdminCall): Promise<HttpResponse> {
  return json(200, presented(await storesOf(lrs).find(nameIn(path))));
}

async function changeStore(call: AdminCall): Promise<HttpResponse> {
  const { storeChangeSchema } = await requestReaders();
  const change = checked(storeChangeSchema, call.json);
  const name = nameIn(call.path);
  if (change.state !== undefined) call.filters = { state: change.state };
  return json(200, presented(await storesOf(call.lrs).change(name, change)));
}

async function deleteStore(call: AdminCall): Promise<HttpResponse> {
  const { storeDeletionSchema } = await requestReaders();
  const body = checked(storeDeletionSchema, call.json);
  const name = nameIn(call.path);
  if (body.name !== name) {
    const details = [{ path: 'name', message: 'must be the name of the store that is deleted' }];
    throw new InvalidError('name must be the name of the store that is deleted', { details });
  }
  const entryOnly = body['entry-only'] === true;
  if (entryOnly) call.filters = { 'entry-only': 'true' };
  await storesOf(call.lrs).delete(name, { entryOnly });
  return noContent();
}

/** Hides the routes in the other stores, where no setting makes them appear. */
function inDefaultStore(): Step<OpenCall> {
  return {
    before: ({ event: { lrs } }) => {
      const { store } = lrs.config;
      if (store === undefined) return;
      throw new NotFoundError(
        `Stores are administered in the default store, at /admin/stores; this is the store ${store.name}.`,
      );
    },
  };
}

function storesOf({ stores }: AdminCall['lrs']): NonNullable<AdminCall['lrs']['stores']> {
  if (stores === undefined) throw new ForbiddenError('Stores are administered by the server only.');
  return stores;
}

function noteStore(call: AdminCall): void {
  noteSubject(call, nameIn(call.path));
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const presented = ({ isInUse, created, problem, ...store }: ListedStore): object => ({
  ...store,
  created: new Date(created).toISOString(),
  'in-use': isInUse,
  ...(problem && { problem: { text: problem.text, since: new Date(problem.since).toISOString() } }),
});
