import { selectMergeable } from '../../activities/store.ts';
import type { AttachmentContent } from '../../attachments/types.ts';
import { together } from '../../db/together.ts';
import type { BatchCheck, Batches, BatchSession, Database, InsertRow, WriteSession } from '../../db/types.ts';
import type { PositionClock, TakingTime } from '../../position.ts';
import type { PlacedMentions } from '../../xapi/mentions.ts';
import { type Admission, admit } from '../ingest/admit.ts';
import type { PreparedStatement } from '../ingest/prepare.ts';
import { TakenStatements } from '../ingest/taken.ts';
import { anyFingerprint } from '../search/fingerprint.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { KeyPositions } from '../search/search-key.ts';
import { statementTable } from '../tables.ts';
import type { Position } from '../types.ts';
import { TransactionLimits, type WriteLimits } from '../write-limits.ts';
import { batchCheckOf, type ConflictCheckRow, checkConflicts, conflictCheckOf } from './conflict-check.ts';
import { contentsOf, insertContents } from './contents.ts';
import { keptPositions } from './kept-positions.ts';
import type { MentionRecorder } from './mentions.ts';
import { entriesOf } from './reference-graph.ts';
import { type Arrival, type ReferenceEffects, resolveReferences, writeReferences } from './references.ts';
import { stampedRow, statementRow } from './statement-row.ts';
import { watermarkWithin } from './watermark.ts';

/** One request's statements and the contents that came with them. */
export interface WriteRequest {
  readonly statements: readonly PreparedStatement[];
  readonly contents: readonly AttachmentContent[];
}

/** What the writer needs: the clock, the index, and the recorders. */
export interface WriteContext {
  readonly clock: PositionClock;
  readonly index: SearchIndex;
  readonly mentions: MentionRecorder;
  readonly limits: WriteLimits;
  /** The most index entries that references add in one transaction. */
  readonly inheritedEntries: number;
  /** Whether this may be a repetition: then statements whose ids this server made may be stored already. */
  readonly again?: boolean;
  /** Whether nobody writes the requests one by one when they are too much together; they count as one request then. */
  readonly undivided?: boolean;
}

export interface WriteResult {
  /** The result of each request, in order. */
  readonly admissions: readonly Admission[];
  /** Once this is committed, no statement at or before this position becomes visible later. */
  readonly consistentThrough: Position;
  /** The number of new statements. */
  readonly stored: number;
  /** The newest position before them, of a statement or of an event of the feed; 0 when there is none. */
  readonly after: Position;
  /** Their positions, in the order of the admissions. */
  readonly positions: readonly Position[];
  /** Whether the positions are consecutive and newer than all stored before. */
  readonly appended: boolean;
  /** The statements whose search keys are to be propagated in slices after the commit. */
  readonly pending: ReadonlySet<string>;
  /** Whether earlier transactions left statements whose search keys are still to be propagated. */
  readonly leftPending: boolean;
}

const none: ReadonlySet<string> = new Set();
const noEffects: ReferenceEffects = { arrivals: new Map(), pending: [], voided: [] };

/** Ids that stored statements may have or refer to. */
function idsOf(requests: readonly WriteRequest[], again = false): string[] {
  return requests.flatMap(({ statements }) =>
    statements.flatMap(({ idWasSent, id }) => (idWasSent || again ? id : [])),
  );
}

/**
 * Writes several requests as one batch. This succeeds in the usual case: the statements are new, none refers to another,
 * and the cached values are valid. The server assigns the positions.
 * @param next called when the next batch may be sent behind this one.
 * @returns undefined in any other case; nothing is written then.
 * @throws GroupTooLargeError
 */
export async function writeBatch(
  { batches, db }: { readonly batches: Batches; readonly db: Pick<Database, 'dialect' | 'read'> },
  requests: readonly WriteRequest[],
  { clock, index, mentions }: WriteContext,
  next: () => void,
): Promise<WriteResult | undefined> {
  if (requests.some(({ statements }) => statements.some(({ target }) => target !== undefined)))
    return undefined;
  const { admissions, admitted } = await admitAll(requests);
  if (admitted.length === 0) return undefined;
  const arrivals = admitted.map((prepared, position) => ({ prepared, position }));
  const fill = async (session: BatchSession): Promise<BatchCheck> => {
    session.onCommitting(next);
    let readEpoch: number | undefined;
    const recorded = await mentions.record(session, placedOf(arrivals), {
      requests: requests.length,
      async read(activities) {
        const found = await db.read((reader) => selectMergeable(reader, activities));
        readEpoch = found.epoch;
        return found;
      },
    });
    await session.insertStamped(statementTable, arrivals.map(stampedRow));
    await index.add(session, entriesOfAll(arrivals, noEffects), arrivals.length);
    await insertContents(session, arrivals, contentsOf(requests, admissions));
    const { agents, definitions } = recorded.epochs;
    return batchCheckOf(db, clock, {
      ids: idsOf(requests),
      agentsEpochs: agents,
      // Both what was read and what is cached must be valid.
      definitionsEpochs:
        readEpoch === undefined || definitions?.includes(readEpoch) === false ? definitions : [readEpoch],
      undefinedActivities: recorded.undefinedActivities.map((key) => Buffer.from(key, 'hex')),
    });
  };
  const before = clock.now();
  const { row, first } = await batches.send<ConflictCheckRow>(fill);
  const checked = conflictCheckOf(row);
  mentions.adopt(checked);
  if (first === undefined) return undefined;
  const last = first + arrivals.length - 1;
  const consistentThrough = clock.watermark(last, clock.timeOf(before, checked.now));
  return {
    admissions,
    stored: arrivals.length,
    after: checked.newest,
    positions: arrivals.map((_, index) => first + index),
    appended: true,
    pending: none,
    leftPending: checked.leftPending,
    consistentThrough,
  };
}

/**
 * Writes several requests in one transaction. A refused request leaves no trace and does not affect the others. The number
 * of SQL statements does not depend on how much is written.
 * @throws TooLargeError, GroupTooLargeError.
 */
export async function writeRequests(
  session: WriteSession,
  requests: readonly WriteRequest[],
  { clock, index, mentions, again = false, undivided = false, ...context }: WriteContext,
): Promise<WriteResult> {
  // The connection, and with it the lock, may be lost before the result of the query arrives here.
  const beforeLock = clock.now();
  const ids = idsOf(requests, again);
  const checked = await checkConflicts(session, ids);
  const { newest, taken, awaited, leftPending } = checked;
  const now = clock.timeOf(beforeLock, checked.now);
  mentions.adopt(checked);
  const groupSize = undivided ? 1 : requests.length;
  const limits = new TransactionLimits(context.limits, groupSize);
  const sent = bytesOf(requests);
  const stored = taken
    ? await TakenStatements.of(session, ids, (count, bytes) => limits.requireFewMore(count, bytes - sent))
    : undefined;
  const { admissions, admitted } = await admitAll(requests, stored);
  const keepsPositions = admitted.some(({ keptPosition }) => keptPosition !== undefined);
  const positions = keepsPositions
    ? await keptPositions(session, admitted, { now: Math.max(now, clock.last + 1), newest })
    : nextPositions(clock, admitted.length, { now, newest });
  let pending: ReadonlySet<string> = none;
  if (admitted.length > 0) {
    const arrivals = arrivalsAt(admitted, positions);
    const { inheritedEntries } = context;
    const effects = await resolveReferences(session, arrivals, { awaited, limits, inheritedEntries });
    const recording = mentions.record(session, placedOf(arrivals), {
      requests: groupSize,
      read: (activities) => selectMergeable(session, activities),
    });
    await together([
      recording,
      insertStatements(session, index, arrivals, effects),
      insertContents(session, arrivals, contentsOf(requests, admissions)),
    ]);
    await writeReferences(session, index, effects);
    if (effects.pending.length > 0) pending = new Set(effects.pending.map(({ target }) => target));
  }
  const time = { now, newest: positions.reduce((latest, each) => Math.max(latest, each), newest) };
  const consistentThrough = await watermarkWithin(session, clock, time, taken && admitted.length === 0);
  return {
    admissions,
    stored: admitted.length,
    after: newest,
    positions,
    appended: !keepsPositions,
    pending,
    leftPending,
    consistentThrough,
  };
}

function nextPositions(clock: PositionClock, count: number, time: TakingTime): Position[] {
  if (count === 0) return [];
  const first = clock.take(count, time);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** In the order of their positions. */
function arrivalsAt(admitted: readonly PreparedStatement[], positions: readonly Position[]): Arrival[] {
  const arrivals = admitted.map((prepared, index) => ({ prepared, position: positions[index] ?? 0 }));
  return arrivals.sort((a, b) => a.position - b.position);
}

/** The result of each request, and all new statements. */
async function admitAll(
  requests: readonly WriteRequest[],
  stored?: TakenStatements,
): Promise<{ readonly admissions: readonly Admission[]; readonly admitted: readonly PreparedStatement[] }> {
  const admissions = await admit(
    requests.map(({ statements }) => statements),
    (id, pauses) => stored?.find(id, pauses),
  );
  const admitted = admissions.flatMap((admission) => ('admitted' in admission ? admission.admitted : []));
  return { admissions, admitted };
}

function placedOf(arrivals: readonly Arrival[]): PlacedMentions[] {
  return arrivals.map(({ prepared, position }) => ({ position, mentions: prepared.mentions }));
}

/** The bytes of all texts together. */
function bytesOf(requests: readonly WriteRequest[]): number {
  const texts = requests.flatMap(({ statements }) => statements.map(({ text }) => text.length));
  return texts.reduce((sum, length) => sum + length, 0);
}

/**
 * The most statements, index entries, and bytes of texts, in one SQL statement, so that a large batch needs little further memory
 * and no step blocks the event loop for long.
 */
const sliceStatements = 2000;
const sliceEntries = 20_000;
const sliceBytes = 1_048_576;

async function insertStatements(
  session: WriteSession,
  index: SearchIndex,
  arrivals: readonly Arrival[],
  effects: ReferenceEffects,
): Promise<void> {
  for (let start = 0, end = 0; start < arrivals.length; start = end) {
    end = endOfSlice(arrivals, start);
    const slice = arrivals.slice(start, end);
    const rows = session.insert(statementTable, rowsOf(slice, effects));
    session.send(rows);
    await index.add(session, entriesOfAll(slice, effects), slice.length);
    if (end < arrivals.length) await rows;
  }
}

/** Where the slice that begins at `start` ends; it has at least one statement. */
function endOfSlice(arrivals: readonly Arrival[], start: number): number {
  let entries = 0;
  let bytes = 0;
  for (let end = start; end < arrivals.length; end += 1) {
    if (end - start >= sliceStatements || entries >= sliceEntries || bytes >= sliceBytes) return end;
    const { keys, text } = arrivals[end]?.prepared ?? {};
    entries += (keys?.inheritable.length ?? 0) + (keys?.ownOnly.length ?? 0);
    bytes += text?.length ?? 0;
  }
  return arrivals.length;
}

function rowsOf(arrivals: readonly Arrival[], { arrivals: nodes }: ReferenceEffects): InsertRow[] {
  return arrivals.map(({ prepared, position }) =>
    statementRow(prepared, position, nodes.get(prepared.id)?.voided ?? false),
  );
}

function entriesOfAll(arrivals: readonly Arrival[], { arrivals: nodes }: ReferenceEffects): KeyPositions {
  const entries = new KeyPositions();
  for (const { prepared, position } of arrivals) {
    const node = nodes.get(prepared.id);
    if (node?.voided) continue;
    const { inheritable, ownOnly } = prepared.keys;
    // A statement that refers to another one gets keys of that one too, perhaps later.
    const fingerprint = prepared.target === undefined ? prepared.keys.fingerprint : anyFingerprint;
    entries.addAll(node ? entriesOf(node) : inheritable, position, fingerprint);
    entries.addAll(ownOnly, position, fingerprint);
  }
  return entries;
}
