import { GroupCommit, type GroupLimits } from '../db/group-commit.ts';
import type { Database } from '../db/types.ts';
import { IndexUpkeep } from './index-upkeep.ts';
import { Intake } from './intake.ts';
import { PositionClock, systemMicroseconds } from './position.ts';
import { type PreparedStatement, prepareBatch } from './prepare.ts';
import { QuietTime } from './quiet-time.ts';
import { StatementReader } from './reader.ts';
import { ReferencePropagation } from './reference-propagation.ts';
import { SearchIndex } from './search-index.ts';
import { SightingRecorder } from './sightings.ts';
import { Succession } from './succession.ts';
import type { StatementBatch, StatementService } from './types.ts';
import { Watermark } from './watermark.ts';
import { requireFewEntries, unlimitedWrites, type WriteLimits } from './write-limits.ts';
import { PresumptionError, type WriteRequest, type WriteResult, writeRequests } from './writer.ts';

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
  /** Microseconds since the epoch. */
  readonly now?: () => number;
  /** Milliseconds since any moment; for tests. */
  readonly elapsed?: () => number;
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
  const clock = new PositionClock(options.now ?? systemMicroseconds);
  const intake = new Intake(options.waitingBytes);
  const index = new SearchIndex(options.indexStride);
  const sightings = new SightingRecorder();
  const settling = new QuietTime(options.indexQuietTime ?? quietMilliseconds, () =>
    db.write((session) => index.settle(session)),
  );
  const propagation = new ReferencePropagation(db, index, options.takeOverAfter);
  const upkeep = new IndexUpkeep(db, options.upkeepStride);
  const succession = new Succession(options.elapsed);
  const watermark = new Watermark(db, clock, succession);
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
    const hold = watermark.hold();
    const context = {
      clock,
      index,
      sightings,
      succession,
      limits,
      inheritedEntries,
      onLocked: hold.onLocked,
    };
    const writeAll = (patient: boolean): Promise<WriteResult> =>
      db.write((session) => writeRequests(session, requests, { ...context, patient }), {
        readsFirst: true,
        onCommitSent,
      });
    try {
      const result = await writeAll(false).catch((error: unknown) => {
        if (error instanceof PresumptionError) return writeAll(true);
        throw error;
      });
      hold.release(result.consistentThrough);
      result.committed();
      if (!index.settled) settling.beginAnew();
      upkeep.note(result.stored);
      if (result.leftPending) propagation.note();
      return result.admissions.map((admission) =>
        'refused' in admission
          ? { status: 'rejected', reason: admission.refused }
          : { status: 'fulfilled', value: { handsOn: handsOn(admission.admitted, result.pending) } },
      );
    } catch (error) {
      hold.release();
      throw error;
    }
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
