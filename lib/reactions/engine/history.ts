import type { Database } from '../../db/types.ts';
import type { Position } from '../../statements/types.ts';
import { type Firing, selectMade } from '../store/firing-rows.ts';

/** How a statement came about. */
export interface History {
  /** The reaction that has made it, the one that has made its trigger, and so on. */
  readonly reactions: readonly string[];
  /** The position of the statement that began this; undefined where it is this one. */
  readonly chainStart: Position | undefined;
}

const sentByClients: History = { reactions: [], chainStart: undefined };

/**
 * The histories of statements by their ids, in lower case.
 * @param longest histories are told up to this length.
 */
export async function historiesOf(
  db: Pick<Database, 'read'>,
  ids: readonly string[],
  longest: number,
): Promise<(id: string) => History> {
  const made = new Map<string, Pick<Firing, 'reactionId' | 'triggerId' | 'chainStart'>>();
  let wanted = [...new Set(ids)];
  for (let depth = 0; depth < longest && wanted.length > 0; depth++) {
    const firings = await db.read((session) => selectMade(session, wanted));
    for (const firing of firings) made.set(firing.statementId, firing);
    wanted = [...new Set(firings.flatMap(({ triggerId }) => triggerId ?? []))].filter((id) => !made.has(id));
  }
  return (id) => {
    const first = made.get(id);
    if (first === undefined) return sentByClients;
    const reactions: string[] = [];
    for (let firing: typeof first | undefined = first; firing && reactions.length < longest; ) {
      reactions.push(firing.reactionId);
      firing = firing.triggerId === null ? undefined : made.get(firing.triggerId);
    }
    return { reactions, chainStart: first.chainStart };
  };
}
