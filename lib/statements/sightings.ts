import { DefinitionRecorder } from '../activities/definitions.ts';
import { NameRecorder } from '../agents/names.ts';
import { AgentRecorder } from '../agents/recorder.ts';
import { epochSql } from '../db/cache-epoch.ts';
import type { WriteSession } from '../db/types.ts';
import { TallyRecorder } from '../status/recorder.ts';
import type { PlacedSightings } from '../xapi/sightings.ts';

/** The epochs of what the recorders cache, read under the write lock. */
export interface SightingEpochs {
  readonly agents_epoch: number | null;
  readonly definitions_epoch: number | null;
}

/** Columns of a SELECT that gives `SightingEpochs`. */
export const epochColumns = `${epochSql('agents')} AS agents_epoch, ${epochSql('definitions')} AS definitions_epoch`;

/** Writes what new statements tell about Agents and Activities, and counts them, in the transaction that writes them. */
export class SightingRecorder {
  readonly #agents = new AgentRecorder();
  readonly #names = new NameRecorder();
  readonly #definitions = new DefinitionRecorder();
  readonly #tallies = new TallyRecorder();

  /**
   * To be called in each transaction that records, before it does or before it commits.
   * @returns whether what was cached until now counted; if not, what was recorded by it may lack something.
   */
  adopt({ agents_epoch, definitions_epoch }: SightingEpochs): boolean {
    const counted = [
      this.#agents.adopt(agents_epoch),
      this.#names.adopt(agents_epoch),
      this.#definitions.adopt(definitions_epoch),
    ];
    return counted.every(Boolean);
  }

  /**
   * @param placed in the order of their positions.
   * @param requests how many they come from.
   * @returns to be called once the transaction is committed, and only then.
   * @throws GroupTooLargeError
   */
  async record(
    session: WriteSession,
    placed: readonly PlacedSightings[],
    requests: number,
  ): Promise<() => void> {
    const agentsWritten = await this.#agents.record(session, agentsOf(placed));
    const namesWritten = await this.#names.record(session, placed);
    const definitionsWritten = await this.#definitions.record(session, placed, requests);
    await this.#tallies.record(session, placed);
    return () => {
      agentsWritten();
      namesWritten();
      definitionsWritten();
    };
  }
}

/** Everybody that the statements name. */
export function* agentsOf(placed: readonly PlacedSightings[]): Generator<string> {
  for (const { sightings } of placed) yield* sightings.agents;
}
