import { CommitOutcomeUnknownError } from '../db/commit-outcome.ts';
import { GroupCommit, type GroupLimits } from '../db/group-commit.ts';
import type { Database } from '../db/types.ts';
import { foldChanges } from '../status/tally-store.ts';
import { IndexUpkeep } from './index-upkeep.ts';
import { Intake } from './intake.ts';
import { PositionClock } from './position.ts';
import { type PreparedStatement, prepareBatch } from './prepare.ts';
import { QuietTime } from './quiet-time.ts';
import { StatementReader } from './reader.ts';
import { ReferencePropagation } from './reference-propagation.ts';
import { SearchIndex } from './search-index.ts';
import { SightingRecorder } from './sightings.ts';
import type { StatementBatch, StatementService } from './types.ts';
import { Watermark } from './watermark.ts';
import { requireFewEntries, unlimitedWrites, type WriteLimits } from './write-limits.ts';
import { type WriteRequest, type WriteResult, writeBatch, writeRequests } from './writer.ts';

export interface StatementServiceOptions {
  /** How many bytes the texts and contents of one page may have; its first statement comes whatever its size. */
  readonly pageBytes: number;
  /** How many bytes of bodies may be worked on or wait to be. */
  readonly waitingBytes: number;
  /** What one request may make the database do at once; without a limit when undefined. */
  readonly limits?: WriteLimits;
  /** How many index entries one transaction adds through references, others being added in slices; for tests. */
  readonly inheritedEntries?: number;
  /** After how many milliseconds a process takes over slices that it has seen pending; for tests. */
  readonly takeOverAfter?: number;
  /** Microseconds since the epoch, in place of the clock of the database's server or of this machine; for tests. */
  readonly now?: () => number;
  /** After how many statements their index entries are moved to where they stay; for tests. */
  readonly indexStride?: number;
  /** After how many milliseconds without a write they are moved too; for tests. */
  readonly indexQuietTime?: number;
  /** After how many statements the engine looks after the index; for tests. */
  readonly upkeepStride?: number;
  /** How many entries a search looks at before it asks again which filter is to lead; for tests. */
  readonly searchStrides?: readonly [number, ...number[]];
}

/** What one transaction writes at most, unless a single request is larger. */
const groupLimits: GroupLimits = {
  group: { entries: 1000, size: 4 * 1024 * 1024 },
  // Some ten milliseconds in a transaction.
  light: { entries: 100, size: 256 * 1024 },
};
/** Statements have some nine entries in the search index; one with more than this counts as several. */
const usualIndexEntries = 25;
/** An entry takes some 10 µs on a server. */
const defaultInheritedEntries = 10_000;

/** A search looks through entries that are collected, so they don't lie there longer than while statements come in. */
const quietMilliseconds = 300;

/** The statement resource over a database. One per database and process, because it groups the requests it gets. */
export function createStatementService(db: Database, options: StatementServiceOptions): StatementService {
  const { limits = unlimitedWrites, inheritedEntries = defaultInheritedEntries } = options;
  const clock = new PositionClock(options.now);
  const intake = new Intake(options.waitingBytes);
  const index = new SearchIndex(options.indexStride);
  const sightings = new SightingRecorder();
  const settling = new QuietTime(options.indexQuietTime ?? quietMilliseconds, () =>
    db.write((session) => index.settle(session)),
  );
  const propagation = new ReferencePropagation(db, index, options.takeOverAfter);
  const upkeep = new IndexUpkeep(db, options.upkeepStride);
  const watermark = new Watermark(db, clock);
  const reader = new StatementReader(db, {
    pageBytes: options.pageBytes,
    ...(options.searchStrides && { strides: options.searchStrides }),
  });
  const commits = new GroupCommit({
    write: writeGroup,
    weigh: weightOf,
    limits: groupLimits,
  });

  async function writeGroup(
    requests: readonly WriteRequest[],
    onCommitSent: () => void,
  ): Promise<PromiseSettledResult<WriteOutcome>[]> {
    const result = await writeAll(requests, onCommitSent);
    watermark.advance(result.consistentThrough);
    result.committed();
    await lookAfter(result);
    return result.admissions.map((admission) =>
      'refused' in admission
        ? { status: 'rejected', reason: admission.refused }
        : { status: 'fulfilled', value: { handsOn: handsOn(admission.admitted, result.pending) } },
    );
  }

  async function writeAll(requests: readonly WriteRequest[], onCommitSent: () => void): Promise<WriteResult> {
    const context = { clock, index, sightings, limits, inheritedEntries };
    const options = { readsFirst: true, onCommitSent };
    const transact = (again: boolean): Promise<WriteResult> =>
      db.write((session) => writeRequests(session, requests, { ...context, again }), options);
    const { batches } = db;
    try {
      const written = batches && (await writeBatch({ batches, db }, requests, context, { onCommitSent }));
      return written ?? (await transact(false));
    } catch (error) {
      if (!(error instanceof CommitOutcomeUnknownError)) throw error;
      // Statements have ids, by which it is seen whether they are stored.
      return transact(true);
    }
  }

  /** What is to be done from time to time. When it fails, it is left for the next time. */
  async function lookAfter({ stored, leftPending }: WriteResult): Promise<void> {
    const tasks = [
      ...(index.isDue ? [db.write((session) => index.settle(session))] : []),
      ...(sightings.tallyIsDue() ? [db.write(foldChanges)] : []),
    ];
    await Promise.allSettled(tasks);
    if (!index.settled) settling.beginAnew();
    upkeep.note(stored);
    if (leftPending) propagation.note();
  }

  async function write(request: WriteRequest): Promise<WriteOutcome & { readonly ids: string[] }> {
    requireFewEntries(indexEntriesOf(request), limits);
    const ids = request.statements.map(({ writtenId }) => writtenId);
    return { ids, handsOn: ids.length > 0 && (await commits.submit(request)).handsOn };
  }

  /** Waits for what is handed on in slices, when the memory that the request took is free again. */
  async function idsOf(written: ReturnType<typeof write>): Promise<string[]> {
    const { ids, handsOn } = await written;
    if (handsOn) await propagation.finishSoon();
    return ids;
  }

  return {
    receive: (bytes, read) =>
      idsOf(intake.run(bytes, async (inTurn) => write(await inTurn(async () => requestOf(await read()))))),
    store: async (batch) => idsOf(write(await requestOf(batch))),
    get: (by, presentation) => reader.one(by, presentation),
    query: (query, presentation) => reader.page(query, presentation),
    consistentThrough: () => watermark.current(),
    knownConsistentThrough: () => watermark.known,
    finishReferences: () => propagation.finish(),
    stop: () => propagation.stop(),
  };
}

interface WriteOutcome {
  /** Whether statements of the request are not yet found by all the keys that they inherit or hand on. */
  readonly handsOn: boolean;
}

function handsOn(admitted: readonly PreparedStatement[], pending: ReadonlySet<string>): boolean {
  if (pending.size === 0) return false;
  return admitted.some(({ id, target }) => pending.has(id) || (target !== undefined && pending.has(target)));
}

async function requestOf(batch: StatementBatch): Promise<WriteRequest> {
  return { statements: await prepareBatch(batch), contents: batch.attachments };
}

function indexEntriesOf({ statements }: Pick<WriteRequest, 'statements'>): number {
  return statements.reduce((sum, { keys }) => sum + keys.inheritable.length + keys.ownOnly.length, 0);
}

function weightOf({ statements, contents }: WriteRequest) {
  const texts = statements.reduce((sum, { text }) => sum + text.length, 0);
  return {
    entries: Math.max(statements.length, Math.ceil(indexEntriesOf({ statements }) / usualIndexEntries)),
    size: contents.reduce((sum, { content }) => sum + content.length, texts),
  };
}
