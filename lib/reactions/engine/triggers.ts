import type { FeedItem } from '../../feed/types.ts';
import type { Pausing } from '../../in-turns.ts';
import type { Json } from '../../json/types.ts';
import type { Position } from '../../statements/types.ts';
import { type Held, heldBy } from '../match/match.ts';
import { type Participant, participant, participantHeap } from '../match/participant.ts';
import type { MemoryShare } from '../memory.ts';
import { valueAt } from '../value.ts';
import type { Reaction } from './active-reactions.ts';
import type { Head } from './dispatch.ts';
import type { Task, Triggered } from './task.ts';

/** The reactions that a statement may trigger. */
export type ReactionsFor = (head: Head, position: Position) => Iterable<Reaction>;

export interface TriggerSearch {
  readonly reactionsFor: ReactionsFor;
  /** What the triggers take; it is for the caller to give back. */
  readonly memory: MemoryShare;
  /** Of the turn. */
  readonly pauses: Pausing;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The triggers among the items, as many as are found in time and as there is memory for. */
export async function tasksOf(
  items: readonly FeedItem[],
  { reactionsFor, memory, pauses, until }: TriggerSearch,
): Promise<{ readonly tasks: readonly Task[]; readonly through: Position }> {
  const tasks: Task[] = [];
  let through = 0;
  for (const item of items) {
    if (through > 0 && Date.now() >= until) break;
    if (item.kind === 'statement' && !item.voided) {
      const pause = pauses.pause();
      if (pause !== undefined) await pause;
      const trigger = participant(item);
      const reactions = await reactionsTo(trigger, { reactionsFor, until, pauses });
      // The first one is worked on whatever it takes.
      const hasRoom = reactions.length === 0 || memory.takeNow(participantHeap(trigger));
      if (!hasRoom && tasks.length > 0) break;
      if (reactions.length > 0) tasks.push({ trigger, reactions });
    }
    through = item.position;
  }
  return { tasks, through };
}

/** Those that can't be ruled out in time are tried. */
async function reactionsTo(
  trigger: Participant,
  { reactionsFor, until, pauses }: Omit<TriggerSearch, 'memory'>,
): Promise<Triggered[]> {
  const reactions: Triggered[] = [];
  for (const reaction of reactionsFor(headOf(trigger.value), trigger.position)) {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    const held = Date.now() >= until ? 'unknown' : whatHolds(reaction.compiled, trigger);
    if (held !== undefined) reactions.push({ reaction, held: held === 'unknown' ? undefined : held });
  }
  return reactions;
}

/** What fails is told later, as an error of the reaction. */
function whatHolds(compiled: Reaction['compiled'], trigger: Participant): Held | 'unknown' | undefined {
  try {
    return heldBy(compiled, trigger);
  } catch {
    return 'unknown';
  }
}

function headOf(value: Json): Head {
  const [verb, object] = [valueAt(value, ['verb', 'id']), valueAt(value, ['object', 'id'])];
  return { verb: String(verb), object: typeof object === 'string' ? object : null, voided: false };
}
