import { kindAt } from '../../../../../lib/reactions/ruleset/shape.ts';
import { operators } from '../../../../../lib/reactions/types.ts';
import type { XapiVersion } from '../../../../../lib/xapi/types.ts';
import type { NoteValues } from '../../../texts/en/reaction-reasons.ts';
import type { Texts } from '../../../texts/en.ts';
import { valueAt } from '../../../xapi/json-edit.ts';
import { isPath, pathText } from '../../../xapi/property-path.ts';
import type { Note } from './notes.ts';

interface NoteSource {
  /** That the note is about. */
  readonly ruleset: unknown;
  readonly version: XapiVersion;
  readonly texts: Texts['reactions'];
}

/**
 * What is said about a place in plain words and what to do, by the rule that it breaks or the reason of a warning. Undefined for a
 * rule of another release.
 */
export function noteText(note: Pick<Note, 'path' | 'rule'>, source: NoteSource): string | undefined {
  const { rule } = note;
  const { rules, warningRules } = source.texts;
  if (rule === undefined) return undefined;
  if (isIn(rule, rules)) return rules[rule](valuesOf(note, source));
  if (!isIn(rule, warningRules)) return undefined;
  const text = warningRules[rule];
  return typeof text === 'string' ? text : text(valuesOf(note, source));
}

function isIn<Names extends object>(name: string, texts: Names): name is string & keyof Names {
  return Object.hasOwn(texts, name);
}

/** What the comparison has around the place. */
function valuesOf({ path: at }: Pick<Note, 'path'>, { ruleset, version, texts }: NoteSource): NoteValues {
  const clause = at.slice(0, -1);
  const path = valueAt(ruleset, [...clause, 'path']);
  const op = valueAt(ruleset, [...clause, 'op']);
  const kind = isPath(path) ? kindAt(path, version) : undefined;
  return {
    member: String(at.at(-1) ?? ''),
    path: isPath(path) ? pathText(path) : undefined,
    kind: kind && texts.kinds[kind],
    operator: op === 'like' || op === 'contains' ? texts.operators[op] : undefined,
    operators: operators.map((each) => texts.operators[each]).join(', '),
  };
}
