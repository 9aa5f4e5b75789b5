import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type GroupName, groupOf } from '../../functions/lambda/groups.ts';
import { xapiPrefix } from '../../functions/routes.ts';
import type { Handler } from '../../lib/http/handler.ts';
import { unpackFunctions } from '../emulator/package.ts';
import { recordPrinted } from './disclosure/record.ts';

type Env = Readonly<Record<string, string>>;

/** The bundles that a deployment packs, in this process. */
export interface PackagedFunctions {
  /** The handler of the function that the gateway chooses for a path. */
  route(path: string): Handler;
  /** Does what the scheduled function does. */
  runBackground(): Promise<void>;
  remove(): void;
}

const groups: readonly GroupName[] = ['statements', 'resources', 'administration', 'screen'];

/**
 * Unpacks and migrates them, as a deployment does. Each call loads them anew, with settings of their own.
 * @param env the whole environment; its database is on a server, and theirs alone
 */
export async function loadPackagedFunctions(env: Env): Promise<PackagedFunctions> {
  takeDownLogs();
  const unpacked = unpackFunctions(env);
  const load = async (name: string): Promise<{ readonly handler: Handler }> =>
    import(pathToFileURL(`${unpacked.directory}/dist/lambda-${name}.mjs`).href);
  const invoke = async (name: string): Promise<void> => {
    const { handler }: { readonly handler: unknown } = await load(name);
    if (typeof handler !== 'function') throw new Error(`${name} has no handler.`);
    await within(env, () => handler({}));
  };
  await invoke('migrate');
  const handlers = new Map<GroupName, Handler>();
  await within(env, async () => {
    for (const name of groups) handlers.set(name, (await load(name)).handler);
  });
  return {
    route: (path) => {
      const handler = handlers.get(groupOf(path, env.LRS_URL_PREFIX ?? xapiPrefix));
      if (handler === undefined) throw new Error(`There is no function for ${path}.`);
      return handler;
    },
    runBackground: () => invoke('background'),
    remove: unpacked.remove,
  };
}

/** Functions read their settings from the environment of their process while they are loaded. */
async function within(env: Env, work: () => Promise<void>): Promise<void> {
  const own = Object.entries(process.env);
  Object.assign(process.env, env);
  try {
    await work();
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(own));
  }
}

const standardError = 2;
const writeSync = fs.writeSync;

/** Functions log to standard error: here it is taken down in place of being shown. */
function takeDownLogs(): void {
  Object.assign(fs, {
    writeSync: (...call: Parameters<typeof writeSync>) => {
      const [file, data, offset] = call;
      if (file !== standardError || !Buffer.isBuffer(data) || typeof offset !== 'number')
        return writeSync(...call);
      recordPrinted(data.toString('utf8', offset));
      return data.length - offset;
    },
  });
  // The bundles import the function by its name.
  syncBuiltinESMExports();
}
