import type { BusyTime } from '../../busy-time.ts';
import type { Database } from '../../db/types.ts';
import type { FeedItem, FeedTurn } from '../../feed/types.ts';
import { giveWay, giveWayInBackground, Pauses } from '../../in-turns.ts';
import type { Position } from '../../statements/types.ts';
import type { MemoryAccount } from '../memory.ts';
import type { Reaction } from './active-reactions.ts';
import { historiesOf } from './history.ts';
import { LastPart, mostTogether } from './parts.ts';
import type { Reacted, ReactOptions } from './react.ts';
import { runTask, type TaskResult } from './task.ts';
import type { TimeShares } from './time-shares.ts';
import { type ReactionsFor, tasksOf } from './triggers.ts';
import { WriteSize } from './write-size.ts';

export interface TurnOptions extends Omit<ReactOptions, 'stops'> {
  readonly db: Database;
  readonly memory: MemoryAccount;
  /** The time in which clients of this process wait for their statements to be stored. */
  readonly storing: Pick<BusyTime, 'isUnderWay'>;
}

export interface TurnRules {
  readonly reactionsFor: ReactionsFor;
  /** Whether what fails stops the reaction: later triggers cause nothing in it. */
  readonly stops: boolean;
  /** Whether all other work goes first. */
  readonly inBackground?: boolean;
  /** How many triggers are worked on at once; several by default, because each waits for the database. */
  readonly atOnce?: number;
  /** Of the reactions, where there are several: those that hold up the others are slow. */
  readonly shares?: TimeShares | undefined;
}

export interface TurnResult {
  /** What has come about; nothing of it is empty. */
  readonly reacted: readonly Reacted[];
  /** The position up to which all items are done; before the first one when none is. */
  readonly through: Position;
}

/** A turn ends when what is to be written takes so many bytes of memory, as estimated. */
const mostHeap = 8_388_608;
/**
 * Milliseconds after which a turn ends with what it has come to. Far less than the feed gives a turn, because a trigger that was
 * begun may take long, and a turn that is not done in time has done nothing.
 */
const longest = 5000;
/** Of these, so many are for finding the triggers. */
const longestSearch = 2500;
/** Milliseconds before the deadline at which work on triggers that has waited for memory is given up. */
const timeToWrite = 3000;
const usuallyAtOnce = 4;

/** Lets statements trigger reactions, in their order, until they have caused enough for a transaction or time is up. */
export async function takeTurn(
  items: readonly FeedItem[],
  { signal, deadline }: Pick<FeedTurn, 'signal' | 'deadline'>,
  { reactionsFor, inBackground = false, atOnce = usuallyAtOnce, shares, ...options }: TurnOptions & TurnRules,
): Promise<TurnResult> {
  const start = Date.now();
  const { db, limits, stops, memory, storing } = options;
  const triggers = memory.share(false);
  // What others wait for is not to be done after all other work.
  const clientsWait = (): boolean => storing.isUnderWay;
  const pace = (): Promise<void> =>
    inBackground && !memory.isAwaited ? giveWayInBackground(clientsWait) : giveWay();
  const pauses = new Pauses(pace, { inBackground });
  const search = { reactionsFor, memory: triggers, pauses, shares, until: start + longestSearch };
  const { tasks, through } = await tasksOf(items, search);
  const ids = tasks.map(({ trigger }) => trigger.id);
  const historyOf = await historiesOf(db, ids, limits.reactionMaxChain);
  const gathered = new Gathered(stops);
  const end = Math.min(deadline, start + longest);
  const mayGoOn = (): boolean => !isOver(end, signal);
  const hasStopped = (reaction: Reaction): boolean => gathered.hasStopped(reaction);
  let next = 0;
  while (next < tasks.length) {
    const some = tasks.slice(next, next + atOnce);
    // Only the first one is worked on to its end in any case, so that each turn comes further.
    const latest = deadline - Date.now() - timeToWrite;
    const results = await Promise.all(
      some.map((task, index) => {
        const history = historyOf(task.trigger.id);
        return runTask(task, {
          history,
          pauses,
          signal,
          isFirst: index === 0,
          mayGoOn,
          hasStopped,
          latest,
          ...options,
        });
      }),
    );
    const done = gathered.addAll(results);
    next += done;
    if (done === 0 || gathered.isEnough || isOver(end, signal)) break;
  }
  triggers.give(triggers.taken);
  const rest = tasks[next];
  return { reacted: gathered.reacted, through: rest === undefined ? through : rest.trigger.position - 1 };
}

/** What triggers have caused so far, in their order. */
class Gathered {
  readonly reacted: Reacted[] = [];
  readonly #stops: boolean;
  readonly #stopped = new Set<string>();
  readonly #size = new WriteSize();
  readonly #last = new LastPart();
  #heap = 0;
  #isInterrupted = false;
  #hasNoRoom = false;

  constructor(stops: boolean) {
    this.#stops = stops;
  }

  /** Whether an earlier trigger has stopped the reaction: nothing more comes of it in this turn. */
  hasStopped({ id }: Reaction): boolean {
    return this.#stopped.has(id);
  }

  /**
   * Whether the turn is to end. Where a reaction is stopped it does, because that may turn out otherwise when it is written:
   * then the reaction goes on with the next trigger. So it does where some are slow, and the others are to go on without them; and
   * where the last transaction would void too much with the next trigger: in the next turn, less depends on that.
   */
  get isEnough(): boolean {
    const isFull = this.#heap >= mostHeap || this.#hasNoRoom || !this.#size.isWithin(mostTogether);
    return isFull || this.#stopped.size > 0 || this.#isInterrupted;
  }

  /** Adds what came of triggers, as long as it is not enough, and discards the rest. @returns how many triggers are done. */
  addAll(results: readonly (TaskResult | undefined)[]): number {
    let done = 0;
    let isOpen = true;
    for (const result of results) {
      isOpen &&= result !== undefined && !this.isEnough && this.#takeRoom(result);
      if (result === undefined) continue;
      if (!isOpen) result.discard();
      else {
        this.#add(result);
        if (result.isDone) done += 1;
      }
    }
    return done;
  }

  /** @returns whether the last transaction has room for it; a trigger alone never makes too much. */
  #takeRoom({ found }: TaskResult): boolean {
    this.#last.add(found);
    this.#hasNoRoom = this.reacted.length > 0 && !this.#last.isSmall;
    return !this.#hasNoRoom;
  }

  #add({ found, isDone, heap }: TaskResult): void {
    for (const each of found) {
      if (this.#stops && each.failures.length > 0) this.#stopped.add(each.reaction.id);
      this.reacted.push(each);
      for (const made of each.made) this.#size.add(made);
    }
    this.#heap += heap;
    this.#isInterrupted ||= !isDone;
  }
}

function isOver(deadline: number, signal: AbortSignal): boolean {
  return signal.aborted || Date.now() >= deadline;
}
