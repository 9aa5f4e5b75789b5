import type { DatabaseOptions, Engine } from './engine.ts';
import type { EngineName } from './facts.ts';
import type { ServerOptions } from './server/options.ts';
import type { SqliteOptions } from './sqlite/options.ts';

interface OptionsOf extends Record<EngineName, DatabaseOptions> {
  readonly sqlite: SqliteOptions;
  readonly postgres: ServerOptions;
  readonly mariadb: ServerOptions;
}

/** Loads each engine separately, so that the modules and drivers of the others are not loaded. */
const loaders: { readonly [Name in EngineName]: (options: OptionsOf[Name]) => Promise<Engine> } = {
  sqlite: async (options) => new (await import('./sqlite/engine.ts')).SqliteEngine(options),
  postgres: async (options) => {
    const [{ PostgresEngine }, { onServer }] = await Promise.all([
      import('./postgres/engine.ts'),
      import('./server/on-server.ts'),
    ]);
    return onServer(PostgresEngine.load, options);
  },
  mariadb: async (options) => {
    const [{ MariadbEngine }, { onServer }] = await Promise.all([
      import('./mariadb/engine.ts'),
      import('./server/on-server.ts'),
    ]);
    return onServer(MariadbEngine.load, options);
  },
};

/** The engine that the options name, with its driver. @throws DatabaseUnusableError when the driver can't be loaded. */
export function loadEngine<Name extends EngineName>(
  options: OptionsOf[Name] & { readonly dbType: Name },
): Promise<Engine> {
  return loaders[options.dbType](options);
}
