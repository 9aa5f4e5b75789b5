import type { Json, JsonObject } from '../../json/types.ts';
import { ReactionFailure } from '../failure.ts';
import { placeBelow, templatePlace } from '../ruleset/place.ts';
import { isPlaceholder, pathMember } from '../ruleset/placeholder.ts';
import type { ReactionErrorReason, Step } from '../types.ts';
import { valueAt } from '../value.ts';

/** The matched statement of each condition. */
export type Matched = ReadonlyMap<string, Json>;

/**
 * Puts values of matched statements into a template: each object whose first member is `$templatePath` is replaced. Its path may
 * have such objects for steps.
 * @throws ReactionFailure when there is no such value.
 */
export function fillTemplate(template: Json, matched: Matched, place = templatePlace): Json {
  if (Array.isArray(template))
    return template.map((item, index) => fillTemplate(item, matched, placeBelow(place, index)));
  if (typeof template !== 'object' || template === null) return template;
  if (isPlaceholder(template)) return valueFor(template, matched, place);
  const members = Object.entries(template).map(([name, member]) => [
    name,
    fillTemplate(member, matched, placeBelow(place, name)),
  ]);
  return Object.fromEntries(members);
}

function valueFor(placeholder: JsonObject, matched: Matched, place: string): Json {
  const path = fillTemplate(placeholder[pathMember] ?? null, matched, placeBelow(place, pathMember));
  if (!Array.isArray(path) || !isPath(path))
    throw failure(
      `${place}.${pathMember} must be an array of the name of a condition and a path.`,
      'template-path',
    );
  const [condition, ...steps] = path;
  const statement = typeof condition === 'string' ? matched.get(condition) : undefined;
  if (statement === undefined)
    throw failure(
      `${place}.${pathMember} names ${quoted(condition)}, and there is no such condition.`,
      'template-path',
    );
  const value = valueAt(statement, steps);
  if (value !== undefined) return value;
  throw failure(
    `${place}: the statement that matches ${quoted(condition)} has no value at the path ${quoted(steps)}.`,
  );
}

function isPath(path: readonly Json[]): path is Step[] {
  return path.every((step) => typeof step === 'string' || typeof step === 'number');
}

function failure(message: string, reason?: ReactionErrorReason): ReactionFailure {
  return new ReactionFailure('ReactionTemplateError', message, reason);
}

function quoted(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 200);
}

/**
 * Whether the JSON is longer than so many characters; ends as soon as it is, whatever is beyond. A value that stands in several
 * places counts in each.
 */
export function isLongerThan(value: Json, most: number): boolean {
  return remaining(value, most) < 0;
}

function remaining(value: Json, most: number): number {
  let left = most;
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - String(value).length;
  left -= 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) return left;
      left = remaining(item, left - 1);
    }
    return left;
  }
  for (const name in value) {
    if (left < 0) return left;
    left = remaining(value[name] ?? null, left - name.length - 4);
  }
  return left;
}
