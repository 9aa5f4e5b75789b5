import type { Json } from '../../json/types.ts';
import { isObject } from './json.ts';
import { isPlaceholder } from './placeholder.ts';

/** The member of a statement that the LRS sets when it stores it, so what a template gives for it has no effect. */
export const setByLrs = 'stored';

/** What `fill` makes of the template, whatever stands at `stored` in it: neither is that value filled in, nor is there one in the result. */
export function withoutStored(template: Json, fill: (template: Json) => Json): Json {
  if (!isObject(template) || isPlaceholder(template) || template[setByLrs] === undefined)
    return fill(template);
  // The member keeps its place: without it, `$templatePath` might become the first one, which has a meaning.
  const filled = fill({ ...template, [setByLrs]: null });
  if (!isObject(filled)) return filled;
  const { [setByLrs]: _, ...rest } = filled;
  return rest;
}
