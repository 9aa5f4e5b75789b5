import type { ReadSession } from '../db/types.ts';
import { countByServer } from './registry.ts';

/** A database server that has stores and is not configured. */
export interface UnnamedServer {
  readonly server: string;
  /** What that means, for operators. */
  readonly text: string;
}

/** @param servers the names of those that are configured. */
export async function selectUnnamedServers(
  session: ReadSession,
  servers: readonly string[],
): Promise<readonly UnnamedServer[]> {
  const counts = await countByServer(session);
  return counts
    .filter(({ server }) => !servers.includes(server))
    .map(({ server, count }) => {
      const stores = count === 1 ? '1 store is' : `${count} stores are`;
      return { server, text: `${stores} on the server ${server}. ${adviceAbout(server)}` };
    });
}

/** What is wrong with a store on a server that is not configured. */
export const adviceAbout = (server: string): string =>
  `stores.storesServers (LRS_STORES_SERVERS) has no server ${server}, so requests to its stores get 503.`;
