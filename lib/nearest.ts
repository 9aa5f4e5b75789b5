/** The candidate that takes the fewest edits (insert, delete, replace, swap of neighbours) to become from `name`, case aside. */
export function nearest(name: string, candidates: Iterable<string>): string {
  return fewestEdits(name, candidates).best;
}

/** Longer names are never taken for a misspelt candidate; the bound keeps the search short, whatever a client sends. */
const maxMisspelt = 64;

/** The nearest candidate if it is so near that `name` is likely a misspelling of it: one edit, or one for every three letters. */
export function likelyMeant(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxMisspelt) return undefined;
  const { best, fewest } = fewestEdits(name, candidates);
  return fewest <= Math.max(1, best.length / 3) ? best : undefined;
}

function fewestEdits(name: string, candidates: Iterable<string>): { best: string; fewest: number } {
  let best = '';
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return { best, fewest };
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
