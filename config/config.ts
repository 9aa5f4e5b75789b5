import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { problemsOf } from './problems.ts';
import { groupNames, keys } from './schema/keys.ts';
import { type Settings, settingsSchema } from './schema/settings.ts';
import { type Collected, type ConfigSource, collect, type Given } from './sources.ts';
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

const defaultAuthorityTemplate = 'config/authority.json.template';
const advisedSecretLength = 32;

/**
 * The configuration from file and environment, checked and complete.
 * @throws ConfigError with one sentence per mistake, all mistakes at once.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const collected = collect(source);
  const settings = validate(collected, source.cwd);
  const lrs = {
    ...settings.lrs,
    authorityTemplate: settings.lrs.authorityTemplate ?? existing(defaultAuthorityTemplate, source.cwd),
  };
  return {
    ...separate({ ...settings, lrs }),
    warnings: [...collected.warnings, ...warningsOf(settings, collected.given)],
  };
}

function validate({ given, problems }: Collected, cwd: string): Settings {
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
    ...missingTemplate(given.get('authorityTemplate'), cwd),
  ];
  if (all.length > 0 || value === undefined) throw new ConfigError(all);
  return value;
}

/** A template that is named must be there; the default one may be missing. */
function missingTemplate(set: Given | undefined, cwd: string): string[] {
  if (typeof set?.value !== 'string' || existing(set.value, cwd) !== null) return [];
  return [`lrs.authorityTemplate (from ${set.origin}) names a file that does not exist.`];
}

const existing = (file: string, cwd: string): string | null => (existsSync(resolve(cwd, file)) ? file : null);

function warningsOf({ lrs, webserver }: Settings, given: ReadonlyMap<string, Given>): string[] {
  const warnings: string[] = [];
  for (const [name, { origin }] of given) {
    const key = keys.get(name);
    if (key?.meta.ignored !== undefined) {
      warnings.push(`${key.group}.${name} (from ${origin}) has no effect: ${key.meta.ignored}.`);
    }
  }
  if (lrs.apiKeyDefault !== undefined && lrs.adminUserDefault === undefined) {
    warnings.push(
      'lrs.apiKeyDefault has no effect without lrs.adminUserDefault: the credential is made together with the account.',
    );
  }
  const secretLength = webserver.jwtCommonSecret?.length ?? advisedSecretLength;
  if (secretLength < advisedSecretLength) {
    warnings.push(
      `webserver.jwtCommonSecret is short; ${advisedSecretLength} characters or more are advised.`,
    );
  }
  return warnings;
}

/** Takes the secrets out of the settings, so that nobody who prints the configuration prints them. */
function separate(settings: Settings): Pick<LoadedConfig, 'config' | 'secrets'> {
  const { adminPassDefault, apiSecretDefault, credentialKey, ...lrs } = settings.lrs;
  const { jwtCommonSecret, keyPassword, ...webserver } = settings.webserver;
  const { database, tuning, logger } = settings;
  const secrets: Secrets = {
    ...(adminPassDefault !== undefined && { adminPassDefault }),
    ...(apiSecretDefault !== undefined && { apiSecretDefault }),
    ...(credentialKey !== undefined && { credentialKey }),
    ...(jwtCommonSecret !== undefined && { jwtCommonSecret }),
    ...(keyPassword !== undefined && { keyPassword }),
  };
  return {
    config: frozen({ database, tuning, lrs, webserver, logger }),
    secrets: frozen(secrets),
  };
}

function frozen<T extends object>(tree: T): T {
  for (const member of Object.values(tree)) if (typeof member === 'object' && member !== null) frozen(member);
  return Object.freeze(tree);
}
