import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bucketCredentials } from './aws.ts';
import type { LoadedConfig } from './config.ts';
import { configurationFile } from './file.ts';
import type { ConfigSource } from './sources.ts';
import type { Secrets } from './types.ts';

/*
 * A configuration that was checked when functions were packed, so that they need not load what checks it. It counts as long as
 * the environment is the same; secrets are not in it.
 */

export interface PackagedConfig extends Omit<LoadedConfig, 'secrets'> {
  /** Of the environment that it was made from. */
  readonly fingerprint: string;
  /** The variables that may set each secret, in the order in which they count. */
  readonly secretVariables: Readonly<Record<keyof Secrets, readonly string[]>>;
}

const setting = /^LRS(QL)?_(?!TEST_)/;

/** Tells environments apart in which settings differ, or which secrets are set. */
export function fingerprintOf(
  env: ConfigSource['env'],
  secretVariables: PackagedConfig['secretVariables'],
): string {
  const secrets = new Set(Object.values(secretVariables).flat());
  const settings = Object.entries(env)
    .filter(([name, value]) => setting.test(name) && value !== undefined && value !== '')
    .map(([name, value]) => [name, secrets.has(name) ? '' : value])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

/** Whether everything is set by the environment. */
export function isInEnvironment({ env, cwd }: ConfigSource): boolean {
  const { file, variable } = configurationFile({ env, cwd });
  return variable === undefined && !existsSync(resolve(cwd, file));
}

/** @param file what packing has written. @returns undefined when it is not there or was made for other settings. */
export function readPackagedConfig(file: string, source: ConfigSource): LoadedConfig | undefined {
  if (!existsSync(file) || !isInEnvironment(source)) return undefined;
  const { fingerprint, secretVariables, ...loaded }: PackagedConfig = JSON.parse(readFileSync(file, 'utf8'));
  if (fingerprintOf(source.env, secretVariables) !== fingerprint) return undefined;
  const secrets = Object.entries(secretVariables).flatMap(([name, variables]) => {
    const value = variables
      .map((variable) => source.env[variable])
      .find((text) => text !== undefined && text !== '');
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...loaded,
    secrets: { ...Object.fromEntries(secrets), ...bucketCredentials(loaded.config.lrs, source.env) },
  };
}
