import { printJson } from '../json/json.ts';
import type { LanguagePicker } from '../xapi/language.ts';
import type { LanguageMap } from '../xapi/types.ts';
import { leadsToLanguageMap, type PropertyPath } from './property-paths.ts';

/**
 * What a spreadsheet takes for the start of a formula, full-width signs included, behind blanks and characters without a width,
 * which it may skip (OWASP, CSV Injection).
 */
const formula = /^(?:[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** The text of a cell that no spreadsheet runs: an apostrophe makes it text. */
export function defused(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/**
 * The cell of a path in a statement: texts as they are, numbers as they came in, objects and arrays as JSON, nothing where
 * there is nothing.
 * @param source a tree of `parseJson`, numbers marked.
 * @param languages picks the text of a language map; without it the map is JSON.
 */
export function cellOf(source: unknown, path: PropertyPath, languages?: LanguagePicker): string {
  const found = valueAt(source, path);
  const value = languages !== undefined && leadsToLanguageMap(path) ? textIn(found, languages) : found;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' && !isMarkedNumber(value) ? defused(value) : printJson(value);
}

/** The name of a column, e.g. `context_contextActivities_parent_0_id`. */
export function headerOf(path: PropertyPath): string {
  return defused(path.join('_'));
}

/** The name of a column that holds a whole language map beside the one with a text of it, e.g. `verb_display_map`. */
export function mapHeaderOf(path: PropertyPath): string {
  return `${headerOf(path)}_map`;
}

function valueAt(source: unknown, path: PropertyPath): unknown {
  let value = source;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) !== (typeof step === 'number') || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function textIn(map: unknown, languages: LanguagePicker): unknown {
  return isLanguageMap(map) ? map[languages.pick(map) ?? ''] : map;
}

function isLanguageMap(value: unknown): value is LanguageMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `markNumbers` puts U+0000 before the digits of a number; no text of a client holds it. */
function isMarkedNumber(text: string): boolean {
  return text.startsWith('\u0000');
}
