import type { Engine } from '../engine.ts';
import { ServerDatabase } from './database.ts';
import type { ServerEngine } from './engine.ts';
import type { ServerOptions } from './options.ts';
import { SingleConnection } from './single-connection.ts';

/** The timeout, in milliseconds, for opening the connection of a function, so that a full database is reported soon. */
const connectPatience = 1000;

/** What the databases of all servers have in common. */
export function onServer(engine: ServerEngine, { pool }: ServerOptions): Engine {
  return {
    isPrivate: false,
    async database() {
      if (pool.maximumSize === 1) {
        const { reader, writer } = new SingleConnection(engine, pool);
        return new ServerDatabase(engine, { reader, writer, transactionTimeout: pool.transactionTimeout });
      }
      const { pools } = await import('./pool.ts');
      return new ServerDatabase(engine, pools(engine, pool));
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
