import type { Key } from '../db/key.ts';
import { searchKey } from '../statements/search-key.ts';
import type { PlacedSightings } from '../xapi/sightings.ts';

const microseconds = 1_000_000;
/** Stands for the platform of statements that name none. */
const noPlatform = 'none';

/** Numbers of statements: how many were stored in a second, carry a platform, have an actor. Negative where some are removed. */
export class Tally {
  /** By second since the epoch. */
  readonly seconds = new Map<number, number>();
  readonly platforms = new Map<string, number>();
  /** By the search key of the identifier, which is known already. */
  readonly actors = new Map<Key, number>();

  /** @param amount 1 for a statement that is there, -1 for one that is not any more. */
  add({ position, sightings }: PlacedSightings, amount: 1 | -1): void {
    increase(this.seconds, Math.floor(position / microseconds), amount);
    increase(this.platforms, sightings.platform ?? noPlatform, amount);
    for (const identifier of sightings.actors) increase(this.actors, searchKey('agent', identifier), amount);
  }

  addAll({ seconds, platforms, actors }: Tally): void {
    for (const [second, amount] of seconds) increase(this.seconds, second, amount);
    for (const [platform, amount] of platforms) increase(this.platforms, platform, amount);
    for (const [actor, amount] of actors) increase(this.actors, actor, amount);
  }
}

export function increase<K>(counts: Map<K, number>, key: K, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** As JSON, and back. */
export function printTally({ seconds, platforms, actors }: Tally): string {
  return JSON.stringify([[...seconds], [...platforms], [...actors]]);
}

export function parseTally(text: string): Tally {
  const [seconds, platforms, actors]: [[number, number][], [string, number][], [Key, number][]] =
    JSON.parse(text);
  const tally = new Tally();
  for (const [second, amount] of seconds) tally.seconds.set(second, amount);
  for (const [platform, amount] of platforms) tally.platforms.set(platform, amount);
  for (const [actor, amount] of actors) tally.actors.set(actor, amount);
  return tally;
}
