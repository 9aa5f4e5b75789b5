import { createSecretReader, type SecretReader } from '../lib/aws/secret-reader.ts';
import { claimsReference } from '../lib/aws/secret-reference.ts';
import { bucketCredentials } from './aws.ts';
import { ConfigError } from './config-error.ts';
import { databaseConfig, databaseProblems, databaseWarnings } from './database.ts';
import { isUrlPending, spreadDatabaseSettings } from './database-sources.ts';
import { tokenOf } from './database-token.ts';
import { missingKeyFiles } from './key-files.ts';
import { problemsOf } from './problems.ts';
import { groupNames, keys } from './schema/keys.ts';
import { type Settings, settingsSchema } from './schema/settings.ts';
import { resolveSecrets } from './secrets.ts';
import { shownSettings } from './shown-settings.ts';
import { type Collected, type ConfigSource, collect, type Given } from './sources.ts';
import { storeServerProblems, storeServers } from './store-servers.ts';
import { missingTemplates, withDefaultTemplates } from './templates.ts';
import type { Config, Secrets } from './types.ts';

export { ConfigError } from './config-error.ts';
export type { ConfigSource } from './sources.ts';
export type { Config, Secrets } from './types.ts';

export interface LoadedConfig {
  /** Holds no secret and can't be changed. */
  readonly config: Config;
  readonly secrets: Secrets;
  /** Sentences for the log; none shows a secret. */
  readonly warnings: readonly string[];
}

const advisedSecretLength = 32;

/**
 * The configuration from file and environment, checked and complete. Secrets are taken as they are written.
 * @throws ConfigError with one sentence per mistake, all mistakes at once.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  return complete(collect(source), source);
}

/**
 * The same where secrets may be named instead, by an ARN of Secrets Manager or the Parameter Store: they are read now.
 * @throws ConfigError
 */
export async function loadConfigWithSecrets(
  source: ConfigSource,
  readSecret: SecretReader = createSecretReader(source.env),
): Promise<LoadedConfig> {
  const collected = collect(source);
  await resolveSecrets(collected, readSecret);
  return complete(collected, source);
}

function complete(collected: Collected, { env, cwd }: ConfigSource): LoadedConfig {
  spreadDatabaseSettings(collected);
  const settings = validate(collected, cwd);
  return {
    ...separate(withDefaultTemplates(settings, cwd), collected.given, {
      ...tokenOf(settings.database, env),
      ...bucketCredentials(settings.lrs, env),
    }),
    warnings: [...collected.warnings, ...warningsOf(settings, collected.given)],
  };
}

function validate(collected: Collected, cwd: string): Settings {
  const { given, problems } = collected;
  const tree: Record<string, Record<string, unknown>> = Object.fromEntries(
    groupNames.map((group) => [group, {}]),
  );
  for (const [name, { value }] of given) {
    const members = tree[keys.get(name)?.group ?? ''];
    if (members !== undefined) members[name] = value;
  }
  const { value, error } = settingsSchema.validate(tree, { abortEarly: false });
  const all = [
    ...problems,
    ...(error === undefined ? [] : problemsOf(error, given)),
    ...(error === undefined && !isUrlPending(collected) ? databaseProblems(value.database) : []),
    ...(error === undefined ? scanningProblems(value) : []),
    ...(error === undefined ? storesProblems(value) : []),
    ...missingTemplates(given, cwd),
    ...missingKeyFiles(given, cwd),
  ];
  if (all.length > 0 || value === undefined) throw new ConfigError(all);
  return value;
}

/** What clients upload directly into a bucket passes by this server, which could not keep the promise. */
function scanningProblems({ lrs, webserver }: Settings): string[] {
  if (!webserver.enableClamav || lrs.attachmentBucket === null) return [];
  return [
    'webserver.enableClamav and lrs.attachmentBucket exclude each other: what clients upload directly into the bucket is not scanned.',
  ];
}

/** What stores need of the database of the default store, beside which theirs are made. */
function storesProblems({ database, stores }: Settings): string[] {
  const problems = storeServerProblems(stores.storesServers ?? []);
  if (problems.length > 0 || !stores.enableStores) return problems;
  if (database.dbPooler) {
    return [
      'stores.enableStores and database.dbPooler exclude each other: which schema a store has is set for a connection.',
    ];
  }
  if (database.dbName !== ':memory:') return [];
  return [
    'stores.enableStores needs a database in a file or on a server: a store in memory would be lost when it is closed.',
  ];
}

function warningsOf(
  { database, lrs, webserver, stores }: Settings,
  given: ReadonlyMap<string, Given>,
): string[] {
  const warnings: string[] = [];
  for (const [name, { origin }] of given) {
    const key = keys.get(name);
    if (key?.meta.ignored !== undefined) {
      warnings.push(`${key.group}.${name} (from ${origin}) has no effect: ${key.meta.ignored}.`);
    }
  }
  warnings.push(...databaseWarnings(database));
  if (stores.storesServers !== undefined && stores.storesServers.length > 0 && !stores.enableStores) {
    warnings.push('stores.storesServers has no effect without stores.enableStores.');
  }
  if (lrs.apiKeyDefault !== undefined && lrs.adminUserDefault === undefined) {
    warnings.push(
      'lrs.apiKeyDefault has no effect without lrs.adminUserDefault: the credential is made together with the account.',
    );
  }
  if (webserver.jwtNoVal) {
    warnings.push(
      'webserver.jwtNoVal is on: whoever reaches this service without the proxy can administer it with a token of their own making.',
    );
  }
  if (webserver.maxBufferedBodyBytes < webserver.maxBodyBytes) {
    warnings.push(
      'webserver.maxBufferedBodyBytes is lower than webserver.maxBodyBytes: a body that is larger than the former is accepted only while there are no others, else the answer is 503.',
    );
  }
  warnings.push(...oidcWarnings(webserver));
  const secretLength = webserver.jwtCommonSecret?.length ?? advisedSecretLength;
  if (secretLength < advisedSecretLength) {
    warnings.push(
      `webserver.jwtCommonSecret is short; ${advisedSecretLength} characters or more are advised.`,
    );
  }
  return warnings;
}

function oidcWarnings({ oidcIssuer, oidcAudience, oidcClientId }: Settings['webserver']): string[] {
  if (oidcIssuer === null) {
    return oidcClientId === null
      ? []
      : ['webserver.oidcClientId has no effect without webserver.oidcIssuer.'];
  }
  const warnings: string[] = [];
  if (oidcAudience === null) {
    warnings.push(
      'webserver.oidcAudience is not set: tokens that the provider made for other services are accepted too.',
    );
  }
  if (oidcIssuer.startsWith('http:')) {
    warnings.push(
      'webserver.oidcIssuer is not https: whoever stands between this service and the provider can make tokens.',
    );
  }
  return warnings;
}

/** Takes the secrets out of the settings, so that nobody who prints the configuration prints them. */
function separate(
  settings: Settings,
  given: ReadonlyMap<string, Given>,
  signers: Pick<Secrets, 'dbToken' | 'awsCredentials'>,
): Pick<LoadedConfig, 'config' | 'secrets'> {
  const { adminPassDefault, apiSecretDefault, credentialKey, ...lrs } = settings.lrs;
  const { jwtCommonSecret, keyPassword, ...webserver } = settings.webserver;
  const { metricsToken, otlpHeaders, ...telemetry } = settings.telemetry;
  const { storesServers, ...stores } = settings.stores;
  const { connection, logger } = settings;
  const { dbPassword, dbJdbcUrl } = settings.database;
  const database = databaseConfig(settings.database, connection);
  const named = { ...settings, database: { ...settings.database, dbName: database.dbName } };
  const secrets: Secrets = {
    ...(adminPassDefault !== undefined && { adminPassDefault }),
    ...(apiSecretDefault !== undefined && { apiSecretDefault }),
    ...(credentialKey !== undefined && { credentialKey }),
    ...(dbPassword !== undefined && { dbPassword }),
    ...(dbJdbcUrl !== undefined && claimsReference(dbJdbcUrl) && { dbJdbcUrl }),
    ...signers,
    ...(jwtCommonSecret !== undefined && { jwtCommonSecret }),
    ...(keyPassword !== undefined && { keyPassword }),
    ...(metricsToken !== undefined && { metricsToken }),
    ...(otlpHeaders !== undefined && { otlpHeaders }),
    ...(storesServers !== undefined && { storeServers: storeServers(storesServers, connection) }),
  };
  const shown = shownSettings(named, given);
  return {
    config: frozen({ database, lrs, webserver, stores, logger, telemetry, shown }),
    secrets: frozen(secrets),
  };
}

function frozen<T extends object>(tree: T): T {
  for (const member of Object.values(tree)) if (typeof member === 'object' && member !== null) frozen(member);
  return Object.freeze(tree);
}
