import type { FeedItem } from '../../feed/types.ts';
import type { Pausing } from '../../in-turns.ts';
import type { Position } from '../../statements/types.ts';
import { measuringCpu } from '../cpu-time.ts';
import { type Held, heldBy } from '../match/match.ts';
import { type Participant, participant, participantHeap } from '../match/participant.ts';
import type { MemoryShare } from '../memory.ts';
import type { Reaction } from './active-reactions.ts';
import { type Head, headOf } from './dispatch.ts';
import type { Task, Triggered } from './task.ts';
import type { TimeShares, TriggerTime } from './time-shares.ts';

/** The reactions that a statement may trigger. */
export type ReactionsFor = (head: Head, position: Position) => Iterable<Reaction>;

export interface TriggerSearch {
  readonly reactionsFor: ReactionsFor;
  /** What the triggers take; it is for the caller to give back. */
  readonly memory: MemoryShare;
  /** Of the turn. */
  readonly pauses: Pausing;
  /** Of the reactions that others wait for; undefined where none does. */
  readonly shares: TimeShares | undefined;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The triggers among the items, as many as are found in time and as there is memory for. */
export async function tasksOf(
  items: readonly FeedItem[],
  { memory, shares, ...search }: TriggerSearch,
): Promise<{ readonly tasks: readonly Task[]; readonly through: Position }> {
  const tasks: Task[] = [];
  let through = 0;
  let isOver = false;
  for (const item of items) {
    if (through > 0 && Date.now() >= search.until) break;
    if (item.kind === 'statement' && !item.voided) {
      const pause = search.pauses.pause();
      if (pause !== undefined) await pause;
      const trigger = participant(item);
      const time = shares?.begin();
      const { reactions, isUsedUp } = await reactionsTo(trigger, { ...search, time });
      // The first one is worked on whatever it takes.
      const hasRoom = reactions.length === 0 || memory.takeNow(participantHeap(trigger));
      if (!hasRoom && tasks.length > 0) break;
      if (reactions.length > 0) tasks.push({ trigger, reactions, time });
      isOver = isUsedUp;
    }
    through = item.position;
    if (isOver) break;
  }
  return { tasks, through };
}

/** Those that can't be ruled out in time are tried; where the reactions hold up others, the one that is at work then is. */
async function reactionsTo(
  trigger: Participant,
  {
    reactionsFor,
    until,
    pauses,
    time,
  }: Pick<TriggerSearch, 'reactionsFor' | 'until' | 'pauses'> & { readonly time: TriggerTime | undefined },
): Promise<{ readonly reactions: Triggered[]; readonly isUsedUp: boolean }> {
  const reactions: Triggered[] = [];
  let isUsedUp = false;
  for (const reaction of reactionsFor(headOf(trigger.value), trigger.position)) {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    if (Date.now() >= until || isUsedUp) {
      reactions.push({ reaction, held: undefined });
      continue;
    }
    const held = measuringCpu(
      () => whatHolds(reaction.compiled, trigger),
      (milliseconds) => time?.spend(reaction, milliseconds),
    );
    isUsedUp = time !== undefined && time.left(reaction) === 0;
    if (held !== undefined) reactions.push({ reaction, held: held === 'unknown' ? undefined : held });
    else if (isUsedUp) reactions.push({ reaction, held: undefined });
  }
  return { reactions, isUsedUp };
}

/** What fails is told later, as an error of the reaction. */
function whatHolds(compiled: Reaction['compiled'], trigger: Participant): Held | 'unknown' | undefined {
  try {
    return heldBy(compiled, trigger);
  } catch {
    return 'unknown';
  }
}
