import { groupOf } from '../../functions/lambda/groups.ts';
import { xapiPrefix } from '../../functions/routes.ts';
import { startGateway } from './gateway.ts';
import type { InstanceOptions } from './instance.ts';
import { type FunctionPackage, unpackFunctions } from './package.ts';
import { FunctionPool, type PoolOptions } from './pool.ts';
import { textOf } from './runtime-api.ts';

/** The functions of serverless.yml. */
export const functionNames = [
  'statements',
  'resources',
  'administration',
  'screen',
  'streaming',
  'background',
  'migrate',
] as const;
export type FunctionName = (typeof functionNames)[number];

/** Seconds, of those functions for which serverless.yml says something else than of all. */
const timeouts: Partial<Record<FunctionName, number>> = { streaming: 900, background: 300, migrate: 900 };
const usualTimeout = 29;

export interface EmulatorOptions
  extends Partial<Pick<PoolOptions, 'memory' | 'concurrency' | 'freezes' | 'quota' | 'node' | 'onOutput'>> {
  /** Settings of all functions. Lambda gives them to the processes as their environment. */
  readonly settings: Readonly<Record<string, string>>;
  /** Settings that only the function `migrate` gets: the first account and key pair. */
  readonly first?: Readonly<Record<string, string>>;
}

/** The deployed functions, behind a gateway. */
export interface EmulatedFunctions {
  /** Of the HTTP API. */
  readonly url: string;
  /** Of the function `streaming`, which is not behind the API. */
  readonly streamingUrl: string;
  readonly pools: Readonly<Record<FunctionName, FunctionPool>>;
  readonly package: FunctionPackage;
  /** Invokes a function as a deployment or a schedule does. @returns its result. @throws FunctionError */
  invoke(name: FunctionName, event?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Deploys what `npm run build` has made to an emulated Lambda and migrates the database, as a deployment does.
 * By default instances have 512 MB, freeze, and are as many as are needed.
 */
export async function startFunctions({
  settings: given,
  first = {},
  ...options
}: EmulatorOptions): Promise<EmulatedFunctions> {
  // serverless.yml declares the routes by this one and always sets it.
  const settings = { LRS_URL_PREFIX: xapiPrefix, ...given };
  const unpacked = unpackFunctions(settings);
  const poolOf = (name: FunctionName) =>
    new FunctionPool({
      ...defaults,
      ...options,
      name,
      directory: unpacked.directory,
      environment: name === 'migrate' ? { ...settings, ...first } : settings,
      timeout: timeouts[name] ?? usualTimeout,
    });
  // The list of names is that of the record.
  const pools = Object.fromEntries(functionNames.map((name) => [name, poolOf(name)])) as Record<
    FunctionName,
    FunctionPool
  >;
  const gateway = await startGateway((path) => pools[groupOf(path, xapiPrefix)]);
  const functionUrl = await startGateway(() => pools.streaming);
  const invoke = async (name: FunctionName, event: unknown = {}): Promise<unknown> =>
    JSON.parse(await textOf((await pools[name].invoke(event)).body));
  const stop = async (): Promise<void> => {
    await Promise.all([gateway.close(), functionUrl.close()]);
    await Promise.all(Object.values(pools).map((pool) => pool.stop()));
    unpacked.remove();
  };
  try {
    await invoke('migrate');
    await pools.migrate.stop();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: gateway.url, streamingUrl: functionUrl.url, pools, package: unpacked, invoke, stop };
}

const defaults = {
  memory: 512,
  concurrency: 1000,
  freezes: true,
  quota: 'memory and processor',
  node: process.execPath,
  onOutput: (text: string) => void process.stderr.write(text),
} satisfies Partial<InstanceOptions & PoolOptions>;
