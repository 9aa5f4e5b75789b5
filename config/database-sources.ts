import { claimsReference } from '../lib/aws/secret-reference.ts';
import { factsOf, isEngineName } from '../lib/db/dialects/facts.ts';
import { settingOfProperty } from './database-properties.ts';
import { parseDatabaseUrl } from './database-url.ts';
import type { Collected } from './sources.ts';

/** What a URL stands for; what of it stands in another setting has no effect beside the URL, as in lrsql. */
const replaced = ['dbType', 'dbName', 'dbHost', 'dbPort', 'dbProperties'] as const;

/** Whether the URL of the database is an ARN whose secret has not been read yet. */
export function isUrlPending({ given }: Pick<Collected, 'given'>): boolean {
  const url = given.get('dbJdbcUrl')?.value;
  return typeof url === 'string' && claimsReference(url);
}

/** Puts what the URL of the database and its properties say into the settings that say the same. */
export function spreadDatabaseSettings(collected: Collected): void {
  if (isUrlPending(collected)) return;
  spreadUrl(collected);
  spreadProperties(collected);
}

function spreadUrl({ given, problems, warnings }: Collected): void {
  const set = given.get('dbJdbcUrl');
  if (typeof set?.value !== 'string') return;
  const { origin } = set;
  const parts = parseDatabaseUrl(set.value);
  if (typeof parts === 'string') {
    problems.push(`database.dbJdbcUrl (from ${origin}) ${parts}.`);
    given.delete('dbJdbcUrl');
    return;
  }
  const loginKeys = (['dbUser', 'dbPassword'] as const).filter((key) => parts[key] !== undefined);
  for (const key of [...replaced, ...loginKeys]) {
    const beside = given.get(key);
    const { [key]: value } = parts;
    given.delete(key);
    if (beside !== undefined && !saysTheSame(key, String(beside.value), value)) {
      warnings.push(
        `database.${key} (from ${beside.origin}) has no effect beside database.dbJdbcUrl (from ${origin}).`,
      );
    }
    if (value !== undefined) given.set(key, { value, origin });
  }
}

function saysTheSame(key: string, beside: string, inUrl: string | undefined): boolean {
  const areEngines = key === 'dbType' && inUrl !== undefined && isEngineName(beside);
  return areEngines ? factsOf(beside) === factsOf(inUrl) : beside === inUrl;
}

/** A login must not stay among the properties, which the administration shows. */
function spreadProperties({ given }: Collected): void {
  const set = given.get('dbProperties');
  if (typeof set?.value !== 'string') return;
  const rest = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(set.value)) {
    const key = settingOfProperty[name.toLowerCase()];
    if (key === undefined) rest.append(name, value);
    else if (!given.has(key)) given.set(key, { value, origin: set.origin });
  }
  if (rest.size === 0) given.delete('dbProperties');
  else given.set('dbProperties', { ...set, value: rest.toString() });
}
