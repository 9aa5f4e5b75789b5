import type { ContentStore } from '../../attachments/types.ts';
import { CommitOutcomeUnknownError } from '../../db/commit-outcome.ts';
import { GroupCommit, type GroupLimits } from '../../db/group-commit.ts';
import type { Batches, Database, WriteSession } from '../../db/types.ts';
import { PositionClock } from '../../position.ts';
import { showGauge } from '../../telemetry/gauges.ts';
import { groupCommitted, isMeasured, startOfMeasurement } from '../../telemetry/measure.ts';
import { currentSpan, tracedGroup } from '../../telemetry/trace.ts';
import type { PreparedStatement } from '../ingest/prepare.ts';
import { SearchIndex } from '../search/search-index.ts';
import type { CommittedStatements } from '../types.ts';
import type { PreparedBatch, StoredWithin } from '../within.ts';
import { requireFewEntries, unlimitedWrites, type WriteLimits } from '../write-limits.ts';
import { AfterCommit, type AfterCommitOptions } from './after-commit.ts';
import { MentionRecorder } from './mentions.ts';
import { Watermark } from './watermark.ts';
import {
  type WriteContext,
  type WriteRequest,
  type WriteResult,
  writeBatch,
  writeRequests,
} from './writer.ts';

export interface StatementWriterOptions extends Omit<AfterCommitOptions, 'index' | 'mentions'> {
  /** What one request may make the database do at once; without a limit when undefined. */
  readonly limits?: WriteLimits;
  /** Called with committed statements in commit order; returns at once. */
  readonly onCommitted?: (committed: CommittedStatements) => void;
  /** The most index entries that references add in one transaction; slices add the rest. For tests. */
  readonly inheritedEntries?: number;
  /** Microseconds since the epoch, in place of the clock of the database's server or of this machine; for tests. */
  readonly now?: () => number;
  /** Statements between two merges of the write buffer of the index; for tests. */
  readonly indexMergeEvery?: number;
}

/** The result of storing a request. */
export interface Submitted {
  /** The ids of its statements as the client wrote them. */
  readonly ids: string[];
  /** Whether some of its statements still lack inherited search keys, or have yet to pass theirs on. */
  readonly propagates: boolean;
}

/** The most that one transaction writes, unless a single request is larger. */
const groupLimits: GroupLimits = {
  group: { entries: 1000, size: 4 * 1024 * 1024 },
  // Ten milliseconds or so in a transaction.
  light: { entries: 100, size: 256 * 1024 },
};
/** Statements have some nine entries in the search index; one with more than this counts as several. */
const usualIndexEntries = 25;
/** An entry takes some 10 µs on a server. */
const defaultInheritedEntries = 10_000;

interface GroupedRequest extends WriteRequest {
  /** The span that waits for it, if it is traced. */
  readonly span: unknown;
}

const spanOf = ({ span }: GroupedRequest): unknown => span;

/** The only way to store statements. One per database and process, because it groups requests. */
export class StatementWriter {
  readonly watermark: Watermark;
  readonly after: AfterCommit;
  readonly #db: Database;
  readonly #contents: ContentStore;
  readonly #context: Omit<WriteContext, 'again'>;
  readonly #onCommitted: StatementWriterOptions['onCommitted'];
  readonly #endGauge: () => void;
  readonly #commits = new GroupCommit({
    write: (requests: readonly GroupedRequest[], next) =>
      tracedGroup('group commit', requests.map(spanOf), () => this.#writeGroup(requests, next)),
    weigh: weightOf,
    limits: groupLimits,
  });

  constructor(db: Database, contents: ContentStore, options: StatementWriterOptions) {
    const { limits = unlimitedWrites, inheritedEntries = defaultInheritedEntries } = options;
    const clock = new PositionClock(options.now, db.dialect.isReplicated);
    const index = new SearchIndex(options.indexMergeEvery);
    const mentions = new MentionRecorder();
    this.#db = db;
    this.#contents = contents;
    this.#context = { clock, index, mentions, limits, inheritedEntries };
    this.#onCommitted = options.onCommitted;
    this.watermark = new Watermark(db, clock);
    this.after = new AfterCommit(db, { ...options, index, mentions });
    this.#endGauge = showGauge('commitQueue', () => this.#commits.waiting);
  }

  /** Ends what goes on after commits. */
  stop(): Promise<void> {
    this.#endGauge();
    return this.after.stop();
  }

  /** Resolves after the commit. @throws TooLargeError, ConflictError. */
  async submit(request: PreparedBatch): Promise<Submitted> {
    requireFewEntries(indexEntriesOf(request), this.#context.limits);
    const ids = request.statements.map(({ writtenId }) => writtenId);
    if (ids.length === 0) return { ids, propagates: false };
    const span = currentSpan();
    const { statements, contents } = request;
    const placed = contents.length === 0 ? contents : await this.#contents.place(contents);
    return { ids, propagates: await this.#commits.submit({ statements, contents: placed, span }) };
  }

  /**
   * Stores batches in a transaction of the caller, who limits their number and size. Definitions of Activities that are too long
   * to be merged together stand in their statements only, as those of one request.
   */
  async storeWithin(session: WriteSession, batches: readonly PreparedBatch[]): Promise<StoredWithin[]> {
    const result = await writeRequests(session, batches, {
      ...this.#context,
      limits: unlimitedWrites,
      again: true,
      undivided: true,
    });
    session.afterCommit(() => {
      this.#noteCommit(result);
      this.after.tendBehind(result);
    });
    return outcomesOf(result);
  }

  /** @returns for each request whether references are left to be propagated, or why it is refused. */
  async #writeGroup(
    requests: readonly WriteRequest[],
    next: () => void,
  ): Promise<PromiseSettledResult<boolean>[]> {
    const start = startOfMeasurement();
    const result = await this.#writeAll(requests, next);
    if (isMeasured()) groupCommitted(requests.length, result.positions.length, start);
    this.#noteCommit(result);
    await this.after.tend(result);
    return result.admissions.map((admission) =>
      'refused' in admission
        ? { status: 'rejected', reason: admission.refused }
        : { status: 'fulfilled', value: propagates(admission.admitted, result.pending) },
    );
  }

  async #writeAll(requests: readonly WriteRequest[], next: () => void): Promise<WriteResult> {
    const transact = (again: boolean): Promise<WriteResult> =>
      this.#db.write(
        (session) => {
          session.onCommitting(next);
          return writeRequests(session, requests, { ...this.#context, again });
        },
        { readsFirst: true },
      );
    const batches = this.#batchesFor(requests);
    try {
      const written = batches && (await writeBatch({ batches, db: this.#db }, requests, this.#context, next));
      return written ?? (await transact(false));
    } catch (error) {
      if (!(error instanceof CommitOutcomeUnknownError || this.#wasMissed(error))) throw error;
    }
    // The ids decide whether statements are stored already.
    return transact(true).catch((error: unknown) => {
      if (this.#wasMissed(error)) return transact(true);
      throw error;
    });
  }

  /** Whether the check has missed an id that is stored: MariaDB may end the EXISTS of an interrupted query as false. */
  #wasMissed(error: unknown): boolean {
    return this.#db.dialect.isUniqueViolation(error);
  }

  #batchesFor(requests: readonly WriteRequest[]): Batches | undefined {
    const { batches } = this.#db;
    const bytes = requests.reduce((sum, request) => sum + weightOf(request).size, 0);
    return batches && bytes <= batches.maximumBytes ? batches : undefined;
  }

  #noteCommit({ consistentThrough, ...result }: WriteResult): void {
    this.watermark.advance(consistentThrough);
    const { after, positions, appended } = result;
    const [first] = positions;
    if (first !== undefined && appended)
      this.#onCommitted?.({ after, first, statements: admittedOf(result) });
  }
}

function propagates(admitted: readonly PreparedStatement[], pending: ReadonlySet<string>): boolean {
  if (pending.size === 0) return false;
  return admitted.some(({ id, target }) => pending.has(id) || (target !== undefined && pending.has(target)));
}

function admittedOf({ admissions }: Pick<WriteResult, 'admissions'>): PreparedStatement[] {
  return admissions.flatMap((admission) => ('admitted' in admission ? admission.admitted : []));
}

/** The new statements of each batch, by id, with their positions. */
function outcomesOf({ admissions, positions }: WriteResult): StoredWithin[] {
  let next = 0;
  return admissions.map((admission) =>
    'refused' in admission
      ? admission.refused
      : new Map(admission.admitted.map(({ id }) => [id, positions[next++] ?? 0])),
  );
}

function indexEntriesOf({ statements }: Pick<PreparedBatch, 'statements'>): number {
  return statements.reduce((sum, { keys }) => sum + keys.inheritable.length + keys.ownOnly.length, 0);
}

function weightOf({ statements, contents }: WriteRequest) {
  const texts = statements.reduce((sum, { text }) => sum + text.length, 0);
  return {
    entries: Math.max(statements.length, Math.ceil(indexEntriesOf({ statements }) / usualIndexEntries)),
    size: contents.reduce((sum, { content }) => sum + content.length, texts),
  };
}
