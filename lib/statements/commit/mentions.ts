import { type DefinitionOptions, DefinitionRecorder } from '../../activities/definitions.ts';
import { NameRecorder } from '../../agents/names.ts';
import { AgentRecorder } from '../../agents/recorder.ts';
import { TallyRecorder } from '../../counts/recorder.ts';
import { epochSql } from '../../db/cache-epoch.ts';
import type { Key } from '../../db/key.ts';
import { together } from '../../db/together.ts';
import type { RowSession } from '../../db/types.ts';
import { giveWayBriefly, Pauses, type Pausing } from '../../in-turns.ts';
import type { PlacedMentions } from '../../xapi/mentions.ts';
import { actorKey } from '../search/search-key.ts';

/** The epochs of the recorders' caches, read under the write lock. */
export interface MentionEpochs {
  readonly agents_epoch: number | null;
  readonly definitions_epoch: number | null;
}

/** Columns of a SELECT that gives `MentionEpochs`. */
export const epochColumns = `${epochSql('agents')} AS agents_epoch, ${epochSql('definitions')} AS definitions_epoch`;

/** The result of recording. */
export interface RecordedMentions {
  /** The keys of Activities whose stored definitions were read and found to be missing. */
  readonly undefinedActivities: readonly Key[];
  /** The epochs in which the cached values were valid that decided what to write; undefined while nothing was cached. */
  readonly epochs: CachedEpochs;
}

export interface CachedEpochs {
  readonly agents: readonly number[] | undefined;
  readonly definitions: readonly number[] | undefined;
}

/**
 * Records the Agents and Activities that new statements mention, and counts the statements, in the transaction that writes
 * them.
 */
export class MentionRecorder {
  readonly #agents = new AgentRecorder();
  readonly #names = new NameRecorder();
  readonly #definitions = new DefinitionRecorder();
  readonly #tallies = new TallyRecorder(actorKey);

  /**
   * Call it in each transaction that records, before recording or before the commit.
   * @returns whether the cached values were valid; if not, too little may have been recorded.
   */
  adopt({ agents_epoch, definitions_epoch }: MentionEpochs): boolean {
    const counted = [
      this.#agents.adopt(agents_epoch),
      this.#names.adopt(agents_epoch),
      this.#definitions.adopt(definitions_epoch),
    ];
    return counted.every(Boolean);
  }

  /**
   * @param placed in the order of their positions; at least one.
   * @throws GroupTooLargeError
   */
  async record(
    session: RowSession,
    placed: readonly PlacedMentions[],
    options: DefinitionOptions,
  ): Promise<RecordedMentions> {
    const pauses = new Pauses(giveWayBriefly);
    // Each decides what to write before it waits: a transaction that ends meanwhile may change the epoch.
    const epochs = { agents: this.#agents.epochs, definitions: this.#definitions.epochs };
    const [, , { undefinedActivities }] = await together([
      this.#agents.record(session, agentsOf(placed)),
      this.#names.record(session, placed),
      this.#definitions.record(session, placed, options),
      this.#count(session, placed, pauses),
    ]);
    return { undefinedActivities, epochs };
  }

  /** In a later turn of the event loop if the other recorders took long: each looks at all members of a Group, which may be ten thousand. */
  async #count(session: RowSession, placed: readonly PlacedMentions[], pauses: Pausing): Promise<void> {
    await pauses.pause();
    await this.#tallies.record(session, placed);
  }

  /** Whether it is time to add up the counts. */
  tallyIsDue(): boolean {
    return this.#tallies.isDue();
  }
}

/** The identifiers of all Agents that the statements mention. */
export function* agentsOf(placed: readonly PlacedMentions[]): Generator<string> {
  for (const { mentions } of placed) yield* mentions.agents;
}
