import { textHeap, treeHeap } from '../../json/heap-size.ts';
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

/** The ids of those statements, which outlive the statements themselves in memory. */
export type MatchedIds = ReadonlyMap<string, Pick<Participant, 'id'>>;

/** How many bytes of the JavaScript heap it takes, as estimated: its text is there twice. */
export function participantHeap({ text, value }: Participant): number {
  return 2 * textHeap(text) + treeHeap(value);
}

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
