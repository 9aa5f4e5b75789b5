import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const variables = ['LRS_CONFIG', 'LRSQL_USER_CONFIG_JSON'] as const;
const ownFile = 'config/lrs.json';
/** Where lrsql looks for its configuration, so that an installation of it can be started as it is. */
const lrsqlFile = 'config/lrsql.json';

/** The names of variables that are no settings, because they name the file. */
export const fileVariables: readonly string[] = variables;

/** The file of the configuration, and the variable that names it; one that no variable names need not be there. */
export function configurationFile({
  env,
  cwd,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}): { readonly file: string; readonly variable: string | undefined } {
  const variable = variables.find((name) => env[name] !== undefined && env[name] !== '');
  const named = variable && env[variable];
  if (named) return { file: named, variable };
  const isThere = (file: string): boolean => existsSync(resolve(cwd, file));
  return { file: isThere(lrsqlFile) && !isThere(ownFile) ? lrsqlFile : ownFile, variable: undefined };
}
