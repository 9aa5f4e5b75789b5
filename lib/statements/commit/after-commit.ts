import { foldChanges } from '../../counts/tally-store.ts';
import type { Database } from '../../db/types.ts';
import { IndexUpkeep } from '../search/index-upkeep.ts';
import { QuietTime } from '../search/quiet-time.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { MentionRecorder } from './mentions.ts';
import { ReferencePropagation } from './reference-propagation.ts';
import type { WriteResult } from './writer.ts';

export interface AfterCommitOptions {
  readonly index: SearchIndex;
  readonly mentions: MentionRecorder;
  /** Whether this process does periodic maintenance after its responses; true when undefined. */
  readonly upkeep?: boolean;
  /** Milliseconds after which a process takes over slices that another one left pending; for tests. */
  readonly takeOverAfter?: number;
  /** Milliseconds without a write after which the write buffer of the index is merged; for tests. */
  readonly indexQuietTime?: number;
  /** Statements between two maintenance runs of the index; for tests. */
  readonly upkeepEvery?: number;
}

/** Searches read the whole write buffer, so it is merged as soon as no statements come in. */
const quietMilliseconds = 300;

/**
 * Work that follows a commit: propagating references, merging the index, adding up counts. After a failure the next commit
 * tries again.
 */
export class AfterCommit {
  readonly #db: Database;
  readonly #options: AfterCommitOptions;
  readonly #merging: QuietTime;
  readonly #propagation: ReferencePropagation;
  readonly #upkeep: IndexUpkeep;
  readonly #underWay = new Set<Promise<void>>();

  constructor(db: Database, options: AfterCommitOptions) {
    const { index, indexQuietTime = quietMilliseconds } = options;
    this.#db = db;
    this.#options = options;
    this.#merging = new QuietTime(indexQuietTime, () => db.write((session) => index.merge(session)));
    this.#propagation = new ReferencePropagation(db, index, options.takeOverAfter);
    this.#upkeep = new IndexUpkeep(db, options.upkeepEvery);
  }

  /** Does the work that is due before the next group is written. */
  async tend({ stored, leftPending }: WriteResult): Promise<void> {
    const { index, mentions, upkeep } = this.#options;
    if (upkeep === false) return;
    const tasks = [
      ...(index.isMergeDue ? [this.#db.write((session) => index.merge(session))] : []),
      ...(mentions.tallyIsDue() ? [this.#db.write(foldChanges)] : []),
    ];
    await Promise.allSettled(tasks);
    if (!index.isMerged) this.#merging.beginAnew();
    this.#upkeep.note(stored);
    if (leftPending) this.#propagation.note();
  }

  /** Starts all follow-up work of a committed transaction, including references, without making requests wait. */
  tendBehind(result: WriteResult): void {
    const propagates = result.pending.size > 0 && this.#options.upkeep !== false;
    const propagated = propagates ? this.#propagation.finishSoon() : undefined;
    const work: Promise<void> = Promise.all([this.tend(result), propagated]).then(() => {
      this.#underWay.delete(work);
    });
    this.#underWay.add(work);
  }

  /** Propagates references while a request waits, for a few seconds at most. */
  propagateReferences(): Promise<void> {
    return this.#options.upkeep === false ? this.#propagation.doSome() : this.#propagation.finishSoon();
  }

  /** Resolves when all references are propagated. */
  finishReferences(): Promise<void> {
    return this.#propagation.finish();
  }

  async stop(): Promise<void> {
    await this.#propagation.stop();
    await Promise.all(this.#underWay);
  }
}
