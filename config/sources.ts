import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { claimsReference } from '../lib/aws/secret-reference.ts';
import { placeOf } from '../lib/json/place.ts';
import { syntaxErrorOffset } from '../lib/json/syntax.ts';
import { likelyMeant } from '../lib/nearest.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { configurationFile, fileVariables } from './file.ts';
import { groupNames, type Key, keys } from './schema/keys.ts';

export interface ConfigSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** What the option `--db` stands for, by names of variables; counts before the environment. */
  readonly database?: Readonly<Record<string, string>>;
}

/** A value as it was set, and where: the name of a variable, or `config/lrs.json`. */
export interface Given {
  readonly value: unknown;
  readonly origin: string;
}

export interface Collected {
  /** By key name. */
  readonly given: Map<string, Given>;
  readonly problems: string[];
  readonly warnings: string[];
}

const prefixes = ['LRS_', 'LRSQL_'] as const;
/** For the project's own tests; not settings. */
const testVariable = /^LRS(?:QL)?_TEST_/;

const keyByVariable: ReadonlyMap<string, Key> = new Map(
  prefixes.flatMap((prefix) =>
    [...keys.values()].flatMap((key) => key.envNames.map((name) => [prefix + name, key] as const)),
  ),
);

/** What file, environment and `--db` set. `--db` wins over the environment, the environment over the file, `LRS_` over its alias `LRSQL_`. */
export function collect(source: ConfigSource): Collected {
  const collected: Collected = { given: new Map(), problems: [], warnings: [] };
  readFile(source, collected);
  readEnvironment(source.env, collected);
  dropUnset(collected.given);
  readDatabaseOption(source, collected.given);
  readPlatformUrl(source.env, collected);
  return collected;
}

/** In these groups lrsql takes a number below zero for one that is not set. */
const groupsWithUnset = ['database', 'lrs'];

function dropUnset(given: Map<string, Given>): void {
  for (const [name, { value }] of given) {
    const key = keys.get(name);
    const isNumber = key?.kind.startsWith('a whole number') && groupsWithUnset.includes(key.group);
    if (isNumber && /^-\d+$/.test(String(value))) given.delete(name);
  }
}

/** The URL of a database, as platforms set it. */
const platformUrl = 'DATABASE_URL';
const whichDatabase = ['dbJdbcUrl', 'dbType', 'dbName', 'dbHost', 'dbPort'];
const databaseOption = '--db';

function readDatabaseOption({ database = {} }: ConfigSource, given: Map<string, Given>): void {
  for (const [variable, value] of Object.entries(database)) {
    const key = keyByVariable.get(variable);
    if (key !== undefined) given.set(key.name, { value, origin: databaseOption });
  }
}

/**
 * It may be meant for another program, so it counts only where no setting says which database, or where `--db` names nothing
 * but its engine.
 */
function readPlatformUrl(env: ConfigSource['env'], { given, problems, warnings }: Collected): void {
  const url = env[platformUrl];
  if (url === undefined || url === '') return;
  const settings = whichDatabase.flatMap((name) => given.get(name) ?? []);
  if (settings.some(({ origin }) => origin !== databaseOption)) return;
  const reason = settings.length === 0 ? undefined : whyNot(url, given);
  if (reason === undefined) {
    given.set('dbJdbcUrl', { value: url, origin: platformUrl });
    return;
  }
  // Without a user, which the URL would name, a start fails, and warnings are not shown.
  const hasLogin = ['dbName', 'dbUser', 'dbProperties'].some((name) => given.has(name));
  (hasLogin ? warnings : problems).push(`${platformUrl} has no effect: ${reason}.`);
}

/** Why a URL is not used beside `--db`; undefined: it is. The engine of one that is still to be read is not known. */
function whyNot(url: string, given: ReadonlyMap<string, Given>): string | undefined {
  if (claimsReference(url)) return undefined;
  const wanted = String(given.get('dbType')?.value);
  const parts = parseDatabaseUrl(url);
  if (typeof parts === 'string') return `it is not the URL of a database of ${wanted}, which --db names`;
  if (parts.dbType !== wanted) return `it names ${parts.dbType}, and --db names ${wanted}`;
  return given.has('dbName') ? '--db names a database in memory' : undefined;
}

function readEnvironment(env: ConfigSource['env'], { given, problems, warnings }: Collected): void {
  const seen = new Map<Key, { name: string; text: string }>();
  // `LRS_` sorts before `LRSQL_` in this order, so the first name seen for a key is the one that counts.
  for (const prefix of prefixes) {
    for (const [name, text] of Object.entries(env)) {
      if (!name.startsWith(prefix) || isNoSetting(name) || text === undefined || text === '') continue;
      const key = keyByVariable.get(name);
      if (key === undefined) {
        problems.push(`${name} is not a known setting; ${hint(likelyVariable(name))}.`);
        continue;
      }
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, { name, text });
        const value = key.takesList ? splitList(text) : text;
        warnings.push(...replacing(key, { value, origin: name }, given.get(key.name)));
        given.set(key.name, { value, origin: name });
      } else if (first.text !== text) {
        warnings.push(
          `${first.name} and ${name} set ${key.group}.${key.name} to different values; ${first.name} counts.`,
        );
      }
    }
  }
}

/** A warning where a variable of lrsql replaces another value of the file. */
function replacing({ group, name }: Key, { value, origin }: Given, inFile: Given | undefined): string[] {
  if (inFile === undefined || !origin.startsWith('LRSQL_') || String(inFile.value) === String(value))
    return [];
  return [`${origin} replaces ${group}.${name} of ${inFile.origin}; in lrsql the file would count.`];
}

const isNoSetting = (name: string): boolean => testVariable.test(name) || fileVariables.includes(name);

/** Without the prefix, which every name has: it would make all of them alike. */
function likelyVariable(name: string): string | undefined {
  const known = [...keys.values()].flatMap(({ envNames }) => envNames);
  const meant = likelyMeant(name.replace(/^LRS(?:QL)?_/, ''), known);
  return meant && `LRS_${meant}`;
}

const hint = (meant: string | undefined): string =>
  meant === undefined ? 'docs/configuration.md lists all' : `the nearest is ${meant}`;

const splitList = (text: string): string[] => text.split(',').map((item) => item.trim());

function readFile({ env, cwd }: ConfigSource, collected: Collected): void {
  const { file, variable } = configurationFile({ env, cwd });
  const tree = parseFile({ file, cwd, variable }, collected.problems);
  if (tree === undefined) return;
  if (!isObject(tree)) {
    collected.problems.push(`${file} must hold a JSON object of groups (${groupNames.join(', ')}).`);
    return;
  }
  for (const [group, members] of Object.entries(tree)) readGroup({ file, group, members }, collected);
}

/** The JSON tree of the file; undefined when there is none or it can't be read. */
function parseFile(
  { file, cwd, variable }: { file: string; cwd: string; variable: string | undefined },
  problems: string[],
): unknown {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    if (variable === undefined && isMissing(cause)) return undefined;
    const place = `${file}${variable === undefined ? '' : ` (from ${variable})`}`;
    const reason = isMissing(cause) ? 'does not exist' : `can't be read (${codeOf(cause)})`;
    const where = isAbsolute(file) ? '' : `; it was looked for at ${resolve(cwd, file)}`;
    problems.push(`The configuration file ${place} ${reason}${where}.`);
    return undefined;
  }
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own message quotes the text around the mistake, which may be a secret.
    const offset = Buffer.byteLength(json.slice(0, syntaxErrorOffset(json)));
    problems.push(`${file} is not valid JSON ${placeOf(Buffer.from(json), offset)}.`);
    return undefined;
  }
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : 'for an unknown reason';

const isMissing = (cause: unknown): boolean => codeOf(cause) === 'ENOENT';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readGroup(
  { file, group, members }: { file: string; group: string; members: unknown },
  { given, problems }: Collected,
): void {
  const misplaced = keys.get(group);
  if (misplaced !== undefined) {
    problems.push(`"${group}" in ${file} must stand inside a group: "${misplaced.group}".`);
    return;
  }
  if (!groupNames.includes(group)) {
    problems.push(`"${group}" in ${file} is not a known group; ${hint(likelyMeant(group, groupNames))}.`);
    return;
  }
  if (!isObject(members)) {
    problems.push(`"${group}" in ${file} must be a JSON object of settings.`);
    return;
  }
  for (const [name, value] of Object.entries(members)) {
    const key = keys.get(name);
    if (key === undefined) {
      const meant = likelyMeant(name, keys.keys());
      problems.push(`${group}.${name} in ${file} is not a known key; ${hint(meant && qualified(meant))}.`);
    } else if (given.has(name)) {
      problems.push(`${name} stands twice in ${file}; it belongs in the group "${key.group}".`);
    } else if (value !== null) {
      given.set(name, {
        value: key.takesList && typeof value === 'string' ? splitList(value) : value,
        origin: file,
      });
    }
  }
}

const qualified = (name: string): string => `${keys.get(name)?.group}.${name}`;
