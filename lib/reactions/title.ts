import type { Json } from '../json/types.ts';
import { isObject } from './ruleset/json.ts';

/** Names of conditions beyond this number are left out. */
const mostNames = 3;
const longest = 100;

/** A readable title for a ruleset that has none, e.g. `certified when quiz and course`. */
export function titleOf(ruleset: Json): string {
  if (!isObject(ruleset)) return 'Reaction';
  const names = isObject(ruleset.conditions ?? null) ? Object.keys(ruleset.conditions ?? {}) : [];
  const shown = names.slice(0, mostNames).join(' and ') + (names.length > mostNames ? ' and others' : '');
  return `${verbOf(ruleset.template)} when ${shown}`.slice(0, longest).toWellFormed();
}

/** What the generated statement says, by the last part of the id of its verb. */
function verbOf(template: Json | undefined): string {
  const verb = isObject(template) ? template.verb : undefined;
  const id = isObject(verb) ? verb.id : undefined;
  const last = typeof id === 'string' ? id.split(/[/#]/).findLast((part) => part !== '') : undefined;
  return last ?? 'reaction';
}

/** The title, or with a number behind it if it is in use. */
export function unusedTitle(title: string, used: ReadonlySet<string>): string {
  if (!used.has(title)) return title;
  let number = 2;
  while (used.has(`${title} (${number})`)) number += 1;
  return `${title} (${number})`;
}
