import type { Key } from '../db/key.ts';
import { giveWayBriefly, Pauses } from '../in-turns.ts';
import { TextMap } from '../text-map.ts';
import type { PlacedMentions } from '../xapi/mentions.ts';

/** The key of an Actor's identifier: its search key, which those that store and remove statements have at hand. */
export type ActorKey = (identifier: string) => Key;

const microseconds = 1_000_000;
/** Stands for the platform of statements that name none. */
const noPlatform = 'none';

/**
 * Numbers of statements: how many were stored in a second, carry a platform, have an actor, a Verb, an Activity as their
 * Object. Negative where some are removed.
 */
export class Tally {
  /** By second since the epoch. */
  readonly seconds = new Map<number, number>();
  readonly platforms = new TextMap<number>();
  /** By the key of the identifier. */
  readonly actors = new Map<Key, number>();
  /** By id. */
  readonly verbs = new TextMap<number>();
  /** By id. */
  readonly activities = new TextMap<number>();

  /** @param amount 1 for a statement that was stored, -1 for one that was removed. */
  add({ position, mentions }: PlacedMentions, amount: 1 | -1, actorKey: ActorKey): void {
    const { platform, actors, verb, activity } = mentions;
    increase(this.seconds, Math.floor(position / microseconds), amount);
    increase(this.platforms, platform ?? noPlatform, amount);
    for (const identifier of actors) increase(this.actors, actorKey(identifier), amount);
    increase(this.verbs, verb, amount);
    if (activity !== undefined) increase(this.activities, activity, amount);
  }

  /**
   * @param text as `printTally` makes it.
   * @param position that of the first of the statements.
   */
  async addPrinted(text: string, position: number): Promise<void> {
    const [platforms, actors, verbs, activities, seconds]: PrintedTally = JSON.parse(text);
    // Each statement counts for one platform.
    const statements = platforms.reduce((sum, [, amount]) => sum + amount, 0);
    if (seconds === undefined) this.#addSeconds(position, statements);
    else for (const [second, amount] of seconds) increase(this.seconds, second, amount);
    await increaseAll(this.platforms, platforms);
    await increaseAll(this.actors, actors);
    await increaseAll(this.verbs, verbs);
    await increaseAll(this.activities, activities);
  }

  #addSeconds(position: number, statements: number): void {
    for (let at = position, end = position + statements; at < end; ) {
      const second = Math.floor(at / microseconds);
      const next = Math.min(end, (second + 1) * microseconds);
      increase(this.seconds, second, next - at);
      at = next;
    }
  }
}

/** Numbers by key: a Map or a TextMap. */
interface Counts<K> {
  get(key: K): number | undefined;
  set(key: K, count: number): unknown;
}

export function increase<K>(counts: Counts<K>, key: K, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** The same for many keys, with pauses. */
async function increaseAll<K>(counts: Counts<K>, amounts: Iterable<readonly [K, number]>): Promise<void> {
  const pauses = new Pauses(giveWayBriefly);
  for (const [key, amount] of amounts) {
    increase(counts, key, amount);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
}

type PrintedTally = [
  platforms: [string, number][],
  actors: [Key, number][],
  verbs: [string, number][],
  activities: [string, number][],
  /** Left out where the positions are consecutive: then the first of them tells. */
  seconds?: [number, number][],
];

/** As JSON. @param consecutive whether the positions of the statements are; then the seconds are left out. */
export function printTally(
  { platforms, actors, verbs, activities, seconds }: Tally,
  consecutive: boolean,
): string {
  const printed: PrintedTally = [[...platforms], [...actors], [...verbs], [...activities]];
  return JSON.stringify(consecutive ? printed : [...printed, [...seconds]]);
}
