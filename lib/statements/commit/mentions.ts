import { type DefinitionOptions, DefinitionRecorder } from '../../activities/definitions.ts';
import { NameRecorder } from '../../agents/names.ts';
import { AgentRecorder } from '../../agents/recorder.ts';
import { TallyRecorder } from '../../counts/recorder.ts';
import { epochSql } from '../../db/cache-epoch.ts';
import { together } from '../../db/together.ts';
import type { RowSession } from '../../db/types.ts';
import type { PlacedMentions } from '../../xapi/mentions.ts';
import { actorKey } from '../search/search-key.ts';

/** The epochs of what the recorders cache, read under the write lock. */
export interface MentionEpochs {
  readonly agents_epoch: number | null;
  readonly definitions_epoch: number | null;
}

/** Columns of a SELECT that gives `MentionEpochs`. */
export const epochColumns = `${epochSql('agents')} AS agents_epoch, ${epochSql('definitions')} AS definitions_epoch`;

/** What is recorded. */
export interface RecordedMentions {
  /** The Activities whose definitions were read, and had none. */
  readonly undefinedActivities: readonly string[];
  /** The epochs in which that counts which was cached when it was decided what to write; undefined while nothing was. */
  readonly epochs: CachedEpochs;
}

export interface CachedEpochs {
  readonly agents: readonly number[] | undefined;
  readonly definitions: readonly number[] | undefined;
}

/** Writes what new statements tell about Agents and Activities, and counts them, in the transaction that writes them. */
export class MentionRecorder {
  readonly #agents = new AgentRecorder();
  readonly #names = new NameRecorder();
  readonly #definitions = new DefinitionRecorder();
  readonly #tallies = new TallyRecorder(actorKey);

  /**
   * To be called in each transaction that records, before it does or before it commits.
   * @returns whether what was cached until now counted; if not, what was recorded by it may lack something.
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
    // Each decides what to write before it waits for anything: a transaction that ends meanwhile may find a new epoch.
    const epochs = { agents: this.#agents.epochs, definitions: this.#definitions.epochs };
    const [, , { undefinedActivities }] = await together([
      this.#agents.record(session, agentsOf(placed)),
      this.#names.record(session, placed),
      this.#definitions.record(session, placed, options),
      this.#tallies.record(session, placed),
    ]);
    return { undefinedActivities, epochs };
  }

  /** Whether it is time to add up what is counted. */
  tallyIsDue(): boolean {
    return this.#tallies.isDue();
  }
}

/** Everybody that the statements name. */
export function* agentsOf(placed: readonly PlacedMentions[]): Generator<string> {
  for (const { mentions } of placed) yield* mentions.agents;
}
