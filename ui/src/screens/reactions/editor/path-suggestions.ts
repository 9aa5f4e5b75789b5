import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { membersAt, shapeAt } from '../../../../../lib/reactions/ruleset/shape.ts';
import type { XapiVersion } from '../../../../../lib/xapi/types.ts';
import { keyOf, pathText } from '../../../xapi/property-path.ts';
import type { Suggestion as Known } from '../../export/suggestions.ts';

/** A path that can be chosen, and a value that a stored statement has there. */
export interface SuggestedPath {
  readonly path: PropertyPath;
  readonly example: string | undefined;
}

/** What most conditions look at, to begin with. */
const common: readonly PropertyPath[] = [
  ['verb', 'id'],
  ['object', 'id'],
  ['actor', 'mbox'],
  ['result', 'success'],
  ['result', 'score', 'scaled'],
  ['context', 'registration'],
  ['timestamp'],
];

const most = 20;
/** Deeper are only Objects of SubStatements and the like. */
const deepest = 6;

/**
 * Paths that hold the text: those of stored statements first, then all that the xAPI has.
 * @param known what stored statements have, the most frequent first.
 * @param onlyValues leaves out what leads to objects and arrays.
 */
export function suggestedPaths(
  text: string,
  known: readonly Known[],
  { version, onlyValues }: { readonly version: XapiVersion; readonly onlyValues: boolean },
): SuggestedPath[] {
  const wanted = text.trim().toLowerCase();
  const examples = new Map(known.map(({ path, example }) => [keyOf(path), example]));
  const candidates = [...common, ...known.map(({ path }) => path), ...pathsOf(version)];
  const found = new Map<string, SuggestedPath>();
  for (const path of candidates) {
    const kind = shapeAt(path, version)?.kind;
    if (kind === undefined || (onlyValues && kind === 'object')) continue;
    if (!pathText(path).toLowerCase().includes(wanted)) continue;
    found.set(keyOf(path), { path, example: examples.get(keyOf(path)) });
    if (found.size === most) break;
  }
  return [...found.values()];
}

const all = new Map<XapiVersion, readonly PropertyPath[]>();

/** Every path that the shape of statements names, the short ones first. */
function pathsOf(version: XapiVersion): readonly PropertyPath[] {
  const paths = all.get(version) ?? below([], version).sort((a, b) => a.length - b.length);
  all.set(version, paths);
  return paths;
}

function below(path: PropertyPath, version: XapiVersion): PropertyPath[] {
  if (path.length >= deepest) return [];
  const isArray = shapeAt(path, version)?.kind === 'array';
  const steps = isArray ? [0] : membersAt(path, version);
  return steps.flatMap((step) => [[...path, step], ...below([...path, step], version)]);
}
