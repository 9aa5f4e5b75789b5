import { InvalidError } from '../errors.ts';

/** Where a column finds its value in a statement: names of properties and places in arrays, e.g. `['verb', 'id']`. */
export type PropertyPath = readonly (string | number)[];

/** The columns of an export that names none: what most people look at first. */
export const defaultPaths: readonly PropertyPath[] = [
  ['id'],
  ['stored'],
  ['timestamp'],
  ['actor', 'objectType'],
  ['actor', 'name'],
  ['actor', 'mbox'],
  ['actor', 'mbox_sha1sum'],
  ['actor', 'openid'],
  ['actor', 'account', 'homePage'],
  ['actor', 'account', 'name'],
  ['verb', 'id'],
  ['verb', 'display'],
  ['object', 'objectType'],
  ['object', 'id'],
  ['object', 'definition', 'type'],
  ['object', 'definition', 'name'],
  ['result', 'success'],
  ['result', 'completion'],
  ['result', 'score', 'scaled'],
  ['result', 'score', 'raw'],
  ['result', 'score', 'min'],
  ['result', 'score', 'max'],
  ['result', 'response'],
  ['result', 'duration'],
  ['context', 'registration'],
  ['context', 'platform'],
  ['context', 'language'],
  ['authority', 'account', 'name'],
];

const componentLists: readonly unknown[] = ['choices', 'scale', 'source', 'target', 'steps'];

/**
 * Whether a path leads to a language map: what a Verb displays, names and descriptions of Activities, of interaction
 * components and of attachments (xAPI 1.0.3 Data 4.2).
 */
export function leadsToLanguageMap(path: PropertyPath): boolean {
  if (path.includes('extensions')) return false;
  const [before, owner, name] = [path.at(-3), path.at(-2), path.at(-1)];
  switch (name) {
    case 'display':
      return owner === 'verb' || before === 'attachments';
    case 'name':
      return owner === 'definition';
    case 'description':
      return owner === 'definition' || before === 'attachments' || componentLists.includes(before);
    default:
      return false;
  }
}

/** Those of the columns that hold a language map: `language-maps` adds a second column with all languages for each. */
export function mapColumns(paths: readonly PropertyPath[]): PropertyPath[] {
  return paths.filter(leadsToLanguageMap);
}

const shape =
  'property-paths must be an array of paths, each an array of property names and whole numbers from 0, such as [["id"],["verb","id"]] or [["id"] ["verb" "id"]].';

/**
 * Reads the parameter `property-paths`: a JSON array of arrays, or lrsql's EDN vector of vectors, where commas are blanks.
 * @throws InvalidError
 */
export function parsePropertyPaths(text: string): PropertyPath[] {
  const paths = parse(asJson(text));
  if (!Array.isArray(paths) || !paths.every(isPath)) throw new InvalidError(shape);
  if (paths.length === 0) throw new InvalidError('property-paths must name at least one path.');
  if (paths.some(({ length }) => length === 0))
    throw new InvalidError('property-paths must not hold an empty path.');
  return paths;
}

/** Brackets, strings in quotes and whole numbers, whose escapes and digits both notations share; blanks and commas only part them. */
function asJson(text: string): string {
  const token = /[\s,]*([[\]]|"(?:[^"\\]|\\.)*"|\d+(?![\w.]))[\s,]*/suy;
  const tokens: string[] = [];
  while (token.lastIndex < text.length) {
    const found = token.exec(text)?.[1];
    if (found === undefined) throw new InvalidError(shape);
    const before = tokens.at(-1);
    if (before !== undefined && before !== '[' && found !== ']') tokens.push(',');
    tokens.push(found);
  }
  return tokens.join('');
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new InvalidError(shape, { cause });
  }
}

function isPath(value: unknown): value is PropertyPath {
  return (
    Array.isArray(value) && value.every((step) => typeof step === 'string' || Number.isSafeInteger(step))
  );
}
