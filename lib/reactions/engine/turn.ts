import type { Database } from '../../db/types.ts';
import type { FeedItem, FeedTurn } from '../../feed/types.ts';
import { Pauses } from '../../in-turns.ts';
import type { Json } from '../../json/types.ts';
import type { Position } from '../../statements/types.ts';
import { mayTrigger } from '../match/match.ts';
import { type Participant, participant } from '../match/participant.ts';
import { valueAt } from '../value.ts';
import type { Reaction } from './active-reactions.ts';
import type { Head } from './dispatch.ts';
import { historiesOf } from './history.ts';
import type { Reacted, ReactOptions } from './react.ts';
import { bytesOf, runTask, type Task } from './task.ts';

export interface TurnOptions extends Omit<ReactOptions, 'stops'> {
  readonly db: Database;
}

/** The reactions that a statement may trigger. */
export type ReactionsFor = (head: Head, position: Position) => Iterable<Reaction>;

export interface TurnRules {
  readonly reactionsFor: ReactionsFor;
  /** Whether what fails stops the reaction: later triggers cause nothing in it. */
  readonly stops: boolean;
}

export interface TurnResult {
  /** What has come about; nothing of it is empty. */
  readonly reacted: readonly Reacted[];
  /** The position up to which all items are done; before the first one when none is. */
  readonly through: Position;
}

/** A turn ends when so much is to be written. */
const mostStatements = 500;
const mostBytes = 4_194_304;
/**
 * Milliseconds after which a turn ends with what it has come to. Far less than the feed gives a turn, because a trigger that was
 * begun may take long, and a turn that is not done in time has done nothing.
 */
const longest = 5000;
/** Of these, so many are for finding the triggers. */
const longestSearch = 2500;
/** So many triggers are worked on at once, because each waits for the database. */
const atOnce = 4;

/** Lets statements trigger reactions, in their order, until they have caused enough for a transaction or time is up. */
export async function takeTurn(
  items: readonly FeedItem[],
  { signal, deadline }: Pick<FeedTurn, 'signal' | 'deadline'>,
  { reactionsFor, ...options }: TurnOptions & TurnRules,
): Promise<TurnResult> {
  const start = Date.now();
  const { tasks, through } = await tasksOf(items, reactionsFor, start + longestSearch);
  const { db, limits, stops } = options;
  const ids = tasks.map(({ trigger }) => trigger.id);
  const historyOf = await historiesOf(db, ids, limits.reactionMaxChain);
  const gathered = new Gathered(stops);
  const end = Math.min(deadline, start + longest);
  const mayGoOn = (): boolean => !isOver(end, signal);
  const hasStopped = (reaction: Reaction): boolean => gathered.hasStopped(reaction);
  for (let next = 0; next < tasks.length; next += atOnce) {
    const some = tasks.slice(next, next + atOnce);
    // Only the first one is worked on to its end in any case, so that each turn comes further.
    const results = await Promise.all(
      some.map((task, index) => {
        const history = historyOf(task.trigger.id);
        return runTask(task, { history, isFirst: index === 0, mayGoOn, hasStopped, ...options });
      }),
    );
    let done = 0;
    for (const result of results) {
      if (result === undefined || gathered.isEnough) break;
      gathered.add(result.found);
      if (!result.isDone) break;
      done += 1;
    }
    const rest = tasks[next + done];
    if (rest === undefined || !(done < some.length || gathered.isEnough || isOver(end, signal))) continue;
    return { reacted: gathered.reacted, through: rest.trigger.position - 1 };
  }
  return { reacted: gathered.reacted, through };
}

/** What triggers have caused so far, in their order. */
class Gathered {
  readonly reacted: Reacted[] = [];
  readonly #stops: boolean;
  readonly #stopped = new Set<string>();
  #statements = 0;
  #bytes = 0;

  constructor(stops: boolean) {
    this.#stops = stops;
  }

  /** Whether an earlier trigger has stopped the reaction: nothing more comes of it. */
  hasStopped({ id }: Reaction): boolean {
    return this.#stopped.has(id);
  }

  get isEnough(): boolean {
    return this.#statements >= mostStatements || this.#bytes >= mostBytes;
  }

  add(found: readonly Reacted[]): void {
    for (const each of found) {
      if (this.hasStopped(each.reaction)) continue;
      if (this.#stops && each.error !== undefined) this.#stopped.add(each.reaction.id);
      this.reacted.push(each);
      this.#statements += each.made.length;
      this.#bytes += bytesOf(each);
    }
  }
}

function isOver(deadline: number, signal: AbortSignal): boolean {
  return signal.aborted || Date.now() >= deadline;
}

/**
 * The triggers among the items, as many as are found in time.
 * @param until milliseconds since the epoch
 */
async function tasksOf(
  items: readonly FeedItem[],
  reactionsFor: ReactionsFor,
  until: number,
): Promise<{ readonly tasks: readonly Task[]; readonly through: Position }> {
  const pauses = new Pauses();
  const tasks: Task[] = [];
  let through = 0;
  for (const item of items) {
    if (through > 0 && Date.now() >= until) break;
    through = item.position;
    if (item.kind !== 'statement' || item.voided) continue;
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    const trigger = participant(item);
    const reactions: Reaction[] = [];
    for (const reaction of reactionsFor(headOf(trigger.value), item.position)) {
      const rest = pauses.pause();
      if (rest !== undefined) await rest;
      // Those that can't be ruled out in time are tried.
      if (Date.now() >= until || mayTriggerAtAll(reaction.compiled, trigger)) reactions.push(reaction);
    }
    if (reactions.length > 0) tasks.push({ trigger, reactions });
  }
  return { tasks, through };
}

/** What fails is told later, as an error of the reaction. */
function mayTriggerAtAll(compiled: Reaction['compiled'], trigger: Participant): boolean {
  try {
    return mayTrigger(compiled, trigger);
  } catch {
    return true;
  }
}

function headOf(value: Json): Head {
  const [verb, object] = [valueAt(value, ['verb', 'id']), valueAt(value, ['object', 'id'])];
  return { verb: String(verb), object: typeof object === 'string' ? object : null, voided: false };
}
