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
  /** Whether this process does what is to be done from time to time, behind its answers; true when undefined. */
  readonly upkeep?: boolean;
  /** After how many milliseconds a process takes over slices that it has seen pending; for tests. */
  readonly takeOverAfter?: number;
  /** After how many milliseconds without a write the write buffer of the index is merged; for tests. */
  readonly indexQuietTime?: number;
  /** After how many statements the engine looks after the index; for tests. */
  readonly upkeepEvery?: number;
}

/** Searches read the whole write buffer, so it is merged as soon as no statements come in. */
const quietMilliseconds = 300;

/** What follows a commit: references are handed on, the index is merged, counts are summed up. A failure leaves work for the next time. */
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

  /** What is due, before the next group is written. */
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

  /** All that follows a transaction which others wait for no longer, references included. */
  tendBehind(result: WriteResult): void {
    const propagates = result.pending.size > 0 && this.#options.upkeep !== false;
    const propagated = propagates ? this.#propagation.finishSoon() : undefined;
    const work: Promise<void> = Promise.all([this.tend(result), propagated]).then(() => {
      this.#underWay.delete(work);
    });
    this.#underWay.add(work);
  }

  /** Hands references on while a request waits for it, some seconds at most. */
  propagateReferences(): Promise<void> {
    return this.#options.upkeep === false ? this.#propagation.doSome() : this.#propagation.finishSoon();
  }

  /** Resolves when no references are left to be handed on. */
  finishReferences(): Promise<void> {
    return this.#propagation.finish();
  }

  async stop(): Promise<void> {
    await this.#propagation.stop();
    await Promise.all(this.#underWay);
  }
}
