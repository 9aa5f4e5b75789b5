/** How much of the longer name lies in the beginning and the end that both share, case aside: 1 for equal names. */
function likeness(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return (start + end) / Math.max(one.length, other.length);
}

/** `; did you mean "display"?` when one of the names is much like what was written, else nothing. */
export function suggestion(written: string, names: Iterable<string>): string {
  let best = '';
  let highest = 0.6;
  for (const name of names) {
    const share = likeness(written, name);
    if (share > highest) [best, highest] = [name, share];
  }
  if (best === '') return '';
  const why = best.toLowerCase() === written.toLowerCase() ? ' (upper and lower case matter)' : '';
  return `; did you mean "${best}"?${why}`;
}
