import type { WriteSession } from '../../db/types.ts';
import { insertFirings, type NewFiring } from '../store/firing-rows.ts';
import { addToCounters, addToReplay, type Tally } from '../store/reaction-rows.ts';
import type { Reaction } from './active-reactions.ts';

/** What is added to the counters of each reaction. */
export class Tallies {
  readonly #byReaction = new Map<string, Tally>();

  add(
    { id }: Pick<Reaction, 'id'>,
    { fired = 0, failed = 0, lastFired = null, lastFailure = null }: Partial<Omit<Tally, 'id'>>,
  ): void {
    if (fired === 0 && failed === 0) return;
    const before = this.#byReaction.get(id) ?? {
      ...{ id, fired: 0, failed: 0 },
      lastFired: null,
      lastFailure: null,
    };
    this.#byReaction.set(id, {
      id,
      fired: before.fired + fired,
      failed: before.failed + failed,
      lastFired: lastFired ?? before.lastFired,
      lastFailure: lastFailure ?? before.lastFailure,
    });
  }

  get all(): Tally[] {
    return [...this.#byReaction.values()];
  }
}

/**
 * Inserts firings, and adds them to the counters beside what has failed.
 * @param isReplay whether failures count for the replay: the reaction may have counted the same before.
 */
export async function insertCounted(
  session: WriteSession,
  firings: readonly NewFiring[],
  { tallies, isReplay }: { readonly tallies: Tallies; readonly isReplay: boolean },
): Promise<void> {
  await insertFirings(session, firings);
  for (const { reactionId: id, position } of firings) tallies.add({ id }, { fired: 1, lastFired: position });
  for (const tally of tallies.all) {
    if (isReplay) await addToReplay(session, tally);
    await addToCounters(session, isReplay ? { ...tally, failed: 0, lastFailure: null } : tally);
  }
}
