import type { Request } from '@middy/core';
import { LrsError, NotFoundError, UnavailableError } from '../../errors.ts';
import type { ConfiguredLrs } from '../../lrs.ts';
import { storeOfHost } from '../../stores/address.ts';
import type { OpenCall, Step } from '../call.ts';
import { clientAddress } from '../client-address.ts';
import { withEnd } from '../stream-end.ts';
import type { HttpResponse } from '../types.ts';

type StoreCall<Opened> = OpenCall & { lrs: Opened };

/**
 * Gives the call the LRS, or what of it is there without the database; the first call of a process opens it, and it is kept.
 * A call to another store than the default one gets the LRS of that store, as long as it is being answered.
 */
export function openLrs<Opened extends ConfiguredLrs>(
  open: () => Opened | Promise<Opened>,
): Step<OpenCall & { lrs: Opened }> {
  const openLrsBefore = ({ event }: Request<StoreCall<Opened>>): Promise<void> | undefined => {
    const opened = open();
    return opened instanceof Promise ? opened.then((lrs) => enter(event, lrs)) : enter(event, opened);
  };
  const openLrsAfter = ({ event, response, error }: Request<StoreCall<Opened>, HttpResponse>): void => {
    const { use } = event;
    if (use === undefined) return;
    if (error && (!(error instanceof LrsError) || error instanceof UnavailableError)) use.suspect();
    if (response?.stream === undefined) use.leave();
    else response.stream = withEnd(response.stream, () => use.leave());
  };
  return { before: openLrsBefore, after: openLrsAfter, onError: openLrsAfter };
}

/** The same for what answers all stores alike, because it needs none of them: the call gets what is opened, and no store. */
export function openForAllStores<Opened extends ConfiguredLrs>(
  open: () => Opened | Promise<Opened>,
): Step<OpenCall & { lrs: Opened }> {
  const openForAllStoresBefore = async ({ event }: Request<StoreCall<Opened>>): Promise<void> => {
    event.lrs = await open();
  };
  return { before: openForAllStoresBefore };
}

/** @returns a promise only where the call is for another store than the default one. */
function enter<Opened extends ConfiguredLrs>(
  event: StoreCall<Opened>,
  lrs: Opened,
): Promise<void> | undefined {
  const name = storeOf(event, lrs);
  if (name !== undefined) return enterStore(event, lrs, name);
  event.lrs = lrs;
  return undefined;
}

/** @throws NotFoundError */
async function enterStore<Opened extends ConfiguredLrs>(
  event: StoreCall<Opened>,
  lrs: ConfiguredLrs,
  name: string,
): Promise<void> {
  const { stores } = lrs;
  if (stores === undefined) {
    throw new NotFoundError('There are no stores here (stores.enableStores, LRS_ENABLE_STORES).');
  }
  const client = clientAddress({ ...event, lrs });
  const enter = async (): Promise<void> => {
    const use = await stores.enter(name, client);
    // The whole LRS of a store stands in for the default one, or for a part of it.
    event.lrs = use.opened as unknown as Opened;
    event.use = use;
  };
  await enter();
  event.outsideStore = async (work) => {
    event.use?.leave();
    const result = await work;
    await enter();
    return result;
  };
}

/**
 * The name of the store that a call is for; undefined: the default one. At the host name of a store there are no others, because
 * browsers let pages of one origin do what they like with each other.
 * @throws NotFoundError
 */
function storeOf({ store, headers }: OpenCall, { config }: ConfiguredLrs): string | undefined {
  const { enableStores, storesHost } = config.stores;
  if (!enableStores || storesHost === null) return store;
  const ofHost = storeOfHost(headers.host, storesHost);
  if (ofHost !== undefined && store !== undefined && store !== ofHost) {
    throw new NotFoundError('Other stores are not served at the host name of a store.');
  }
  return store ?? ofHost;
}
