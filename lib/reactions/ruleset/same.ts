import type { Json } from '../../json/types.ts';
import { isObject } from './json.ts';
import { isPlaceholder } from './placeholder.ts';

/** Whether two rulesets, as JSON, are the same but for the order of members where it means nothing. */
export function isSameRuleset(one: string, other: string): boolean {
  return one === other || canonical(JSON.parse(one)) === canonical(JSON.parse(other));
}

/** With members in one order. The first member of an object in a template may be what stands for a value, so it is told. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`);
  return `${isPlaceholder(value) ? '$' : ''}{${members.join(',')}}`;
}
