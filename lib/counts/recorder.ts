import type { RowSession, WriteSession } from '../db/types.ts';
import { giveWayBriefly, Pauses } from '../in-turns.ts';
import type { PlacedMentions } from '../xapi/mentions.ts';
import { type ActorKey, printTally, Tally } from './tally.ts';
import { addToTallies, foldChanges, insertChange } from './tally-store.ts';

/**
 * How much is noted until it is added up: that many statements, or a quarter as many transactions. To add up takes some twenty
 * SQL statements, however few changes there are.
 */
const sumEvery = 8000;
const transactionWeight = 4;
/** So many bytes of changes count as a statement: long ids are added up before there are too many of them. */
const usualBytes = 125;
const sliceCharacters = 1_048_576;

/**
 * Counts new statements in the transaction that stores them. What one transaction changes is one row, added at little cost;
 * from time to time the rows are added up, in a transaction of their own.
 */
export class TallyRecorder {
  // Starts at a random count, so that many short-lived processes together add up as often as one.
  #noted = Math.floor(Math.random() * sumEvery);
  readonly #actorKey: ActorKey;

  constructor(actorKey: ActorKey) {
    this.#actorKey = actorKey;
  }

  /** @param placed in the order of their positions; at least one. */
  async record(session: RowSession, placed: readonly PlacedMentions[]): Promise<void> {
    for (const slice of slicesOf(placed)) await this.#recordSlice(session, slice);
    this.#noted += transactionWeight;
  }

  async #recordSlice(session: RowSession, placed: readonly PlacedMentions[]): Promise<void> {
    const first = placed[0]?.position ?? 0;
    const consecutive = placed.at(-1)?.position === first + placed.length - 1;
    const changes = printTally(await tallyOf(placed, 1, this.#actorKey), consecutive);
    session.send(insertChange(session, changes, first));
    this.#noted += Math.max(placed.length, changes.length / usualBytes);
  }

  /** Whether it is time to add the rows up; it is not again for a while. */
  isDue(): boolean {
    const due = this.#noted >= sumEvery;
    if (due) this.#noted = 0;
    return due;
  }
}

/** Statements in slices with about a million characters of texts that are counted: to print more of them at once takes long. */
function* slicesOf(placed: readonly PlacedMentions[]): Generator<readonly PlacedMentions[]> {
  let start = 0;
  let characters = 0;
  for (const [index, { mentions }] of placed.entries()) {
    characters += mentions.verb.length + (mentions.platform?.length ?? 0) + (mentions.activity?.length ?? 0);
    if (characters < sliceCharacters) continue;
    yield placed.slice(start, index + 1);
    start = index + 1;
    characters = 0;
  }
  if (start === 0) yield placed;
  else if (start < placed.length) yield placed.slice(start);
}

/** Takes statements that are removed out of the counts. */
export async function recordRemoved(
  session: WriteSession,
  placed: readonly PlacedMentions[],
  actorKey: ActorKey,
): Promise<void> {
  while (await foldChanges(session));
  await addToTallies(session, await tallyOf(placed, -1, actorKey));
}

async function tallyOf(
  placed: readonly PlacedMentions[],
  amount: 1 | -1,
  actorKey: ActorKey,
): Promise<Tally> {
  const tally = new Tally();
  const pauses = new Pauses(giveWayBriefly);
  for (const each of placed) {
    tally.add(each, amount, actorKey);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
  return tally;
}
