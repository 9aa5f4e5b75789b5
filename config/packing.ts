import { loadConfig } from './config.ts';
import { fingerprintOf, isInEnvironment, type PackagedConfig } from './packaged.ts';
import { keys } from './schema/keys.ts';
import type { ConfigSource } from './sources.ts';
import type { Secrets } from './types.ts';

/**
 * What `readPackagedConfig` reads; undefined where a file, which may hold secrets, has settings too, or where the configuration
 * names files, whose paths depend on where it is read.
 * @throws ConfigError
 */
export function packagedConfig(source: ConfigSource): PackagedConfig | undefined {
  const { config, secrets, warnings } = loadConfig(source);
  const { authorityTemplate, oidcAuthorityTemplate } = config.lrs;
  const files = [authorityTemplate, oidcAuthorityTemplate, config.webserver.oidcClientTemplate];
  const named = files.some((file) => file !== null);
  // A token for the database is made anew for each connection; a URL, or properties with a login, would be read only here.
  const { dbToken, dbPassword } = secrets;
  const isSpread = config.shown.some(
    ({ key, ...shown }) => key === 'dbJdbcUrl' && 'set' in shown && shown.set,
  );
  const isPasswordElsewhere = dbPassword !== undefined && !Object.values(source.env).includes(dbPassword);
  if (!isInEnvironment(source) || named || dbToken !== undefined || isSpread || isPasswordElsewhere)
    return undefined;
  const secretVariables = Object.fromEntries(
    [...keys.values()]
      .filter(({ meta }) => meta.secret === true)
      .map(({ name, envNames }) => [
        name,
        ['LRS_', 'LRSQL_'].flatMap((prefix) => envNames.map((variable) => prefix + variable)),
      ]),
    // The keys that are secret are the members of `Secrets`.
  ) as Record<keyof Secrets, string[]>;
  return { fingerprint: fingerprintOf(source.env, secretVariables), secretVariables, config, warnings };
}
