import type { WriteSession } from '../db/types.ts';
import { ShortMemory } from '../short-memory.ts';
import { addAgents } from './store.ts';

/**
 * Writes which Agents and identified Groups there are. They repeat, so those written lately are remembered and not written
 * again; they are forgotten from time to time, because others may delete them.
 */
export class AgentRecorder {
  readonly #written = new ShortMemory<true>({ characters: 4_000_000, milliseconds: 300_000 });

  /**
   * @param identifiers as `identifierOf` gives them.
   * @returns to be called once the transaction is committed, and only then.
   */
  async record(session: WriteSession, identifiers: Iterable<string>): Promise<() => void> {
    const fresh = new Set(identifiers);
    for (const identifier of fresh) if (this.#written.get(identifier)) fresh.delete(identifier);
    if (fresh.size > 0) await addAgents(session, fresh);
    return () => {
      for (const identifier of fresh) this.#written.set(identifier, true);
    };
  }
}
