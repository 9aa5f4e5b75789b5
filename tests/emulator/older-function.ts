import { createScratchDatabase } from '../../scripts/scratch-database.ts';
import { type CountingProxy, openCountingProxy } from './counting-proxy.ts';
import { startGateway } from './gateway.ts';
import { FunctionPool } from './pool.ts';

export interface OlderFunctionOptions {
  readonly db: 'postgres' | 'mariadb';
  /** A built checkout in which one bundle exports the functions of all endpoints. */
  readonly checkout: string;
  readonly concurrency: number;
  /** MB. */
  readonly memory: number;
  readonly node: string;
  /** Whether it reaches its database through the proxy that counts. */
  readonly isCounted: boolean;
  /** Settings of the first account and the first key pair. */
  readonly first: Readonly<Record<string, string>>;
}

/** The function of an older build that stores statements, over a database of its own, whose schema it makes with its first call. */
export interface OlderFunction {
  readonly url: string;
  readonly pool: FunctionPool;
  readonly proxy: CountingProxy;
  stop(): Promise<void>;
}

export async function startOlderFunction({
  db,
  checkout,
  first,
  isCounted,
  ...limits
}: OlderFunctionOptions): Promise<OlderFunction> {
  const database = await createScratchDatabase(db);
  const { LRS_DB_HOST: host = '127.0.0.1', LRS_DB_PORT: port = db === 'mariadb' ? '3306' : '5432' } =
    database.settings;
  const proxy = await openCountingProxy({ host, port: Number(port) });
  const reached = isCounted ? { LRS_DB_HOST: '127.0.0.1', LRS_DB_PORT: String(proxy.port) } : {};
  const pool = new FunctionPool({
    ...limits,
    ...{ name: 'older', directory: checkout, handler: 'dist/lambda.postStatements' },
    ...{ timeout: 29, freezes: true, quota: 'memory and processor' },
    environment: { LRS_LOG_LEVEL: 'ERROR', ...database.settings, ...reached, ...first },
    onOutput: (text) => void process.stderr.write(text),
  });
  const gateway = await startGateway(() => pool);
  return {
    url: gateway.url,
    pool,
    proxy,
    async stop() {
      await gateway.close();
      await pool.stop();
      await proxy.close();
      await database.drop();
    },
  };
}
