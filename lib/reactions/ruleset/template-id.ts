import type { Json } from '../../json/types.ts';
import { isObject } from './json.ts';
import { placeBelow, templatePlace } from './place.ts';
import { isPlaceholder, pathMember } from './placeholder.ts';
import type { Report } from './report.ts';

const advice = 'leave it out, and the LRS gives each statement an id of its own';

/** Warns of an id by which matches make statements that cannot be stored, because ids are unique. */
export function warnOfFixedId(id: Json | undefined, report: Report): void {
  const why = whyTaken(id);
  if (why !== undefined) report.warn(placeBelow(templatePlace, 'id'), 'fixed-id', `${why}; ${advice}`);
}

function whyTaken(id: Json | undefined): string | undefined {
  if (typeof id === 'string')
    return 'is the same for all matches, and ids are unique, so only the first match makes a statement';
  if (id === undefined || !isObject(id) || !isPlaceholder(id)) return undefined;
  const path = id[pathMember];
  if (!Array.isArray(path) || path.length !== 2 || path[1] !== 'id') return undefined;
  return 'is the id of a matched statement, which is taken, so no match makes a statement';
}
