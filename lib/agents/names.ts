import type { WriteSession } from '../db/types.ts';
import { ShortMemory } from '../short-memory.ts';
import type { PlacedSightings } from '../xapi/sightings.ts';
import { addEarlierNames, addNames } from './store.ts';
import type { SeenName } from './types.ts';

/**
 * Writes the names of Agents that statements bring. Names repeat, so those written lately are remembered and not written
 * again; they are forgotten from time to time, because others may delete them.
 */
export class NameRecorder {
  readonly #written = new ShortMemory<true>({ characters: 4_000_000, milliseconds: 300_000 });

  /**
   * @param placed oldest first.
   * @returns to be called once the transaction is committed, and only then.
   */
  async record(session: WriteSession, placed: readonly PlacedSightings[]): Promise<() => void> {
    const fresh = new Map<string, SeenName>();
    for (const { position, sightings } of placed) {
      for (const { identifier, name } of sightings.names) {
        const key = `${identifier}\0${name}`;
        if (this.#written.get(key) || fresh.has(key)) continue;
        fresh.set(key, { identifier, name, position });
      }
    }
    if (fresh.size > 0) await addNames(session, fresh.values());
    return () => {
      for (const key of fresh.keys()) this.#written.set(key, true);
    };
  }
}

/**
 * Writes names that were seen earlier than any that is there.
 * @param placed oldest first.
 */
export async function recordEarlierNames(
  session: WriteSession,
  placed: readonly PlacedSightings[],
): Promise<void> {
  const names = placed.flatMap(({ position, sightings }) =>
    sightings.names.map(({ identifier, name }) => ({ identifier, name, position })),
  );
  await addEarlierNames(session, names.reverse());
}
