import { cacheUses } from '../cache-uses.ts';
import { EpochCache } from '../db/cache-epoch.ts';
import type { RowSession } from '../db/types.ts';
import { giveWayBriefly, Pauses } from '../in-turns.ts';
import { mapKey } from '../text-map.ts';
import { addAgents } from './store.ts';

/** Writes which Agents and identified Groups there are. They repeat, so those written lately are cached and not written again. */
export class AgentRecorder {
  readonly #written = new EpochCache<true>(
    { characters: 4_000_000, milliseconds: 300_000 },
    cacheUses.agents,
  );

  /** Those in which what is cached counts; undefined while nothing is. */
  get epochs(): readonly number[] | undefined {
    return this.#written.epochs;
  }

  /**
   * To be called in each transaction that records.
   * @param epoch of `agents`, read under the write lock.
   * @returns whether what was cached until now counted in it.
   */
  adopt(epoch: number | null | undefined): boolean {
    return this.#written.adopt(epoch);
  }

  /** @param identifiers as `identifierOf` gives them. */
  async record(session: RowSession, identifiers: Iterable<string>): Promise<void> {
    const written = this.#written.facts;
    const fresh = new Map<string, string>();
    const pauses = new Pauses(giveWayBriefly);
    for (const identifier of identifiers) {
      fresh.set(mapKey(identifier), identifier);
      const pause = pauses.pause();
      if (pause !== undefined) await pause;
    }
    for (const key of fresh.keys()) if (written.get(key)) fresh.delete(key);
    if (fresh.size > 0) await addAgents(session, fresh.values());
    session.afterCommit(() => {
      for (const key of fresh.keys()) written.set(key, true);
    });
  }
}
