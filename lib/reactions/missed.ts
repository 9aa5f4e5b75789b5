import type { Position } from '../statements/types.ts';

/** Statements after `from` up to `through`: positions, or times as texts of one form. */
export interface Stretch<Place extends Position | string = Position> {
  readonly from: Place;
  readonly through: Place;
}

/**
 * What a reaction has missed once it has not looked at another stretch. One stretch that spans all gaps is kept, because a replay
 * of what was looked at already changes nothing.
 */
export function withGap(missed: Stretch | null, gap: Stretch): Stretch | null {
  if (gap.from >= gap.through) return missed;
  return missed === null ? gap : { from: Math.min(missed.from, gap.from), through: gap.through };
}

/** What is left of it once a replay has looked at a stretch; null when nothing is. */
export function uncovered<Place extends Position | string>(
  missed: Stretch<Place>,
  covered: Stretch<Place>,
): Stretch<Place> | null {
  if (covered.through <= missed.from || covered.from >= missed.through) return missed;
  const isFromStart = covered.from <= missed.from;
  const isToEnd = covered.through >= missed.through;
  if (isFromStart) return isToEnd ? null : { from: covered.through, through: missed.through };
  return isToEnd ? { from: missed.from, through: covered.from } : missed;
}
