import type { Json } from '../../json/types.ts';
import type { Position } from '../../statements/types.ts';
import { valueAt } from '../value.ts';

/** A stored statement that may take part in a match. */
export interface Participant {
  readonly position: Position;
  /** In lower case. */
  readonly id: string;
  /** JSON, as it is stored. */
  readonly text: string;
  /** The same parsed. */
  readonly value: Json;
}

/** The statement of each condition, by name in the order of the ruleset. */
export type Match = ReadonlyMap<string, Participant>;

export function participant({
  position,
  text,
}: {
  readonly position: Position;
  readonly text: string;
}): Participant {
  const value: Json = JSON.parse(text);
  return { position, text, value, id: String(valueAt(value, ['id'])).toLowerCase() };
}
