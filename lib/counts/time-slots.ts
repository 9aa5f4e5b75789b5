/**
 * Counts are kept for four lengths of time, so that any span is a few sums however long it is. A slot is a number: the
 * level of its length and the second in which it starts (UTC, since the epoch), so that the slots of a level lie in order.
 */
export const slotSeconds = [1, 60, 3600, 86_400] as const;
const levelSize = 1_000_000_000_000;

export function slotOf(level: number, second: number): number {
  return level * levelSize + second;
}

/** The slots that a second lies in, one of each level. */
export function slotsAround(second: number): number[] {
  return slotSeconds.map((length, level) => slotOf(level, second - (second % length)));
}

/** Where a slot starts: seconds since the epoch. */
export function startOfSlot(slot: number): number {
  return slot % levelSize;
}

/** Slots of one level, from the first and before the second bound. */
export interface SlotRange {
  readonly from: number;
  readonly before: number;
}

/** The ranges of slots that make up the seconds from `from` and before `before`, none longer than those of `level`. */
export function coveringRanges(from: number, before: number, level: number): SlotRange[] {
  if (from >= before) return [];
  const length = slotSeconds[level] ?? 1;
  const first = Math.ceil(from / length) * length;
  const end = Math.floor(before / length) * length;
  if (first >= end) return coveringRanges(from, before, level - 1);
  return [
    ...coveringRanges(from, first, level - 1),
    { from: slotOf(level, first), before: slotOf(level, end) },
    ...coveringRanges(end, before, level - 1),
  ];
}
