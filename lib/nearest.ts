/**
 * Longer names are never taken for a misspelt candidate. Together with the difference in length that a misspelling may have, the
 * bound keeps each comparison short, whatever a client sends as a name or as a candidate.
 */
const maxMisspelt = 64;

/**
 * The candidate of which `name` is likely a misspelling: the one with the fewest edits (insert, delete, replace or swap of
 * neighbours, upper and lower case aside), if there is at most one edit for every four letters of the longer of both names.
 * One edit is always few enough, except between names of one or two letters, which are then different names.
 */
export function likelyMeant(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxMisspelt) return undefined;
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const most = mostEdits(Math.max(name.length, candidate.length));
    if (Math.abs(name.length - candidate.length) > most) continue;
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits >= fewest || edits > most) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

/** How many edits a misspelling of a name of so many letters may have. */
function mostEdits(length: number): number {
  return length < 3 ? 0 : Math.max(1, Math.floor(length / 4));
}

/** Optimal string alignment distance. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
