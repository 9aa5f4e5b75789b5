import type { JsonObject } from '../../json/types.ts';
import { likelyMeant } from '../../nearest.ts';
import { placeBelow } from './place.ts';
import type { Report } from './report.ts';

/** Which members may stand somewhere. */
export interface KnownMembers {
  readonly known: readonly string[];
  /** Members of which one may have been meant as well. */
  readonly others?: readonly string[];
  /** Says more of a name that means something elsewhere. */
  readonly explain?: (name: string) => string | undefined;
}

/** Warns of members that mean nothing here; they are stored and returned. */
export function warnOfUnknown(
  value: JsonObject,
  { known, others = [], explain = () => undefined }: KnownMembers,
  place: string,
  report: Report,
): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const at = placeBelow(place, name);
    const explained = explain(name);
    if (explained !== undefined) {
      report.warnOfUnknown(at, 'unused-member', explained);
      continue;
    }
    const meant = meantBy(name, [...known, ...others]);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    report.warnOfUnknown(at, 'unknown-member', `is unknown and has no effect${hint}`);
  }
}

/** The member of which the name is a misspelling, or the long form: `value` for `val`. */
function meantBy(name: string, members: readonly string[]): string | undefined {
  return likelyMeant(name, members) ?? members.find((member) => name.toLowerCase().startsWith(member));
}
