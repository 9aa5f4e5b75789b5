import { likelyMeant } from '../../../nearest.ts';

/** `; did you mean "display"?` when one of the names is much like what was written, else nothing. */
export function suggestion(written: string, names: Iterable<string>): string {
  const meant = likelyMeant(written, names);
  if (meant === undefined) return '';
  const why = meant.toLowerCase() === written.toLowerCase() ? ' (upper and lower case matter)' : '';
  return `; did you mean "${meant}"?${why}`;
}
