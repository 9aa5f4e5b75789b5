import type { Engine } from '../engine.ts';
import { ServerDatabase } from './database.ts';
import type { ServerEngine } from './engine.ts';
import type { ServerOptions } from './options.ts';
import type { Replicas } from './replicas.ts';
import { SingleConnection } from './single-connection.ts';

/** The timeout, in milliseconds, for opening the connection of a function, so that a full database is reported soon. */
const connectPatience = 1000;

type LoadEngine = (options: ServerOptions) => Promise<ServerEngine>;

/** What the databases of all servers have in common. @param load loads the engine for one of them. */
export async function onServer(load: LoadEngine, options: ServerOptions): Promise<Engine> {
  const engine = await load(options);
  const { pool } = options;
  return {
    isPrivate: false,
    async checkHosts() {
      const { checkHosts } = await import('./check-hosts.ts');
      return checkHosts(options, load);
    },
    async checkReplicas() {
      if (options.replicas === undefined) return [];
      const { checkReplicas } = await import('./check-replicas.ts');
      return checkReplicas(options, options.replicas, load);
    },
    async database() {
      const replicas = await loadReplicas(options, load);
      if (pool.maximumSize === 1) {
        const { reader, writer } = new SingleConnection(engine, pool);
        const { transactionTimeout } = pool;
        return new ServerDatabase(engine, { reader, writer, transactionTimeout, replicas });
      }
      const { pools } = await import('./pool.ts');
      return new ServerDatabase(engine, { ...pools(engine, pool), replicas });
    },
    async functionConnection() {
      const { transactionTimeout, connectionTimeout } = pool;
      const limited = { ...pool, connectionTimeout: Math.min(connectionTimeout, connectPatience) };
      const connection = new SingleConnection(engine, limited);
      const { reader, writer } = connection;
      const database = new ServerDatabase(engine, { reader, writer, transactionTimeout });
      return {
        database,
        connect: () =>
          connection.open().catch((error: unknown) => {
            throw database.explained(error);
          }),
        abandonUnfinished: () => connection.abandonUnfinished(),
      };
    },
  };
}

/** Loads what reads from replicas, where there are any. */
async function loadReplicas(
  options: ServerOptions,
  load: LoadEngine,
): Promise<((database: ServerDatabase) => Replicas) | undefined> {
  if (options.replicas === undefined) return undefined;
  const { openReplicas } = await import('./open-replicas.ts');
  return openReplicas(options, options.replicas, load);
}
