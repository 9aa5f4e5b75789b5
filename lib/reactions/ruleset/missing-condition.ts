import { likelyMeant } from '../../nearest.ts';
import type { Report } from './report.ts';

/** Warns of a name that no condition has. */
export function warnOfMissing(
  name: string,
  place: string,
  conditions: Iterable<string>,
  report: Report,
): void {
  const meant = likelyMeant(name, conditions);
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  report.warn(
    place,
    'unknown-condition',
    `there is no condition ${JSON.stringify(name.slice(0, 80))}${hint}`,
  );
}
