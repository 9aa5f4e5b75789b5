import type { JsonObject } from '../../json/types.ts';

/** The member whose value is a path to what an object of the template is replaced by. */
export const pathMember = '$templatePath';

/** Whether the object stands for a value of a matched statement: its first member says which. */
export function isPlaceholder(value: JsonObject): boolean {
  for (const name in value) return name === pathMember;
  return false;
}
