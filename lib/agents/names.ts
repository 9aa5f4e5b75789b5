import { EpochCache } from '../db/cache-epoch.ts';
import type { RowSession } from '../db/types.ts';
import { giveWayBriefly, Pauses } from '../in-turns.ts';
import { mapKey } from '../text-map.ts';
import type { PlacedMentions } from '../xapi/mentions.ts';
import { addEarlierNames, addNames } from './store.ts';
import type { SeenName } from './types.ts';

/** Writes the names of Agents that statements bring. Names repeat, so those written lately are cached and not written again. */
export class NameRecorder {
  readonly #written = new EpochCache<true>({ characters: 4_000_000, milliseconds: 300_000 });

  /** The same as that of an `AgentRecorder`. */
  adopt(epoch: number | null | undefined): boolean {
    return this.#written.adopt(epoch);
  }

  /** @param placed oldest first. */
  async record(session: RowSession, placed: readonly PlacedMentions[]): Promise<void> {
    const written = this.#written.facts;
    const fresh = new Map<string, SeenName>();
    const pauses = new Pauses(giveWayBriefly);
    for (const { position, mentions } of placed) {
      for (const { identifier, name } of mentions.names) {
        const key = mapKey(`${identifier}\0${name}`);
        if (!written.get(key) && !fresh.has(key)) fresh.set(key, { identifier, name, position });
        const pause = pauses.pause();
        if (pause !== undefined) await pause;
      }
    }
    if (fresh.size > 0) await addNames(session, fresh.values());
    session.afterCommit(() => {
      for (const key of fresh.keys()) written.set(key, true);
    });
  }
}

/**
 * Writes names of an Agent that were seen earlier than any that is there.
 * @param placed oldest first.
 */
export async function recordEarlierNames(
  session: RowSession,
  placed: readonly PlacedMentions[],
  agent: string,
): Promise<void> {
  const names = placed.flatMap(({ position, mentions }) =>
    mentions.names.map(({ identifier, name }) => ({ identifier, name, position })),
  );
  const wanted = names.filter(({ identifier }) => identifier === agent);
  await addEarlierNames(session, wanted.reverse());
}
