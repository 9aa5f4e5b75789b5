import { selectMergeable } from '../../activities/store.ts';
import type { AttachmentContent } from '../../attachments/types.ts';
import { keyOf } from '../../db/key.ts';
import { together } from '../../db/together.ts';
import type {
  BatchCheck,
  Batches,
  BatchSession,
  Database,
  InsertRow,
  StampedRow,
  WriteSession,
} from '../../db/types.ts';
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
import { batchLook, type ConflictCheckRow, checkConflicts, conflictCheckOf } from './conflict-check.ts';
import { contentsOf, insertContents } from './contents.ts';
import { keptPositions } from './kept-positions.ts';
import type { MentionRecorder } from './mentions.ts';
import { entriesOf } from './reference-graph.ts';
import { type Arrival, type ReferenceEffects, resolveReferences, writeReferences } from './references.ts';

/** One request's statements and the contents that came with them. */
export interface WriteRequest {
  readonly statements: readonly PreparedStatement[];
  readonly contents: readonly AttachmentContent[];
}

/** What gives statements their places and keeps what they tell. */
export interface WriteContext {
  readonly clock: PositionClock;
  readonly index: SearchIndex;
  readonly mentions: MentionRecorder;
  readonly limits: WriteLimits;
  /** How many index entries one transaction adds through references. */
  readonly inheritedEntries: number;
  /** Whether the statements may be stored already, also those whose ids were made here. */
  readonly again?: boolean;
}

export interface WriteResult {
  /** What became of each request, in their order. */
  readonly admissions: readonly Admission[];
  /** Once this is committed, no statement at or before this position becomes visible later. */
  readonly consistentThrough: Position;
  /** How many statements are new. */
  readonly stored: number;
  /** The newest position before them, of a statement or of an event of the feed; 0 when there is none. */
  readonly after: Position;
  /** Their positions, in the order of the admissions. */
  readonly positions: readonly Position[];
  /** Whether these follow each other, behind all that was stored before. */
  readonly appended: boolean;
  /** The statements whose keys are to be handed on in slices, once this is committed. */
  readonly pending: ReadonlySet<string>;
  /** Whether there was something of that kind before. */
  readonly leftPending: boolean;
}

const none: ReadonlySet<string> = new Set();
const noEffects: ReferenceEffects = { arrivals: new Map(), pending: [], voided: [] };

/** Ids that somebody else may know. */
function idsOf(requests: readonly WriteRequest[], again = false): string[] {
  return requests.flatMap(({ statements }) =>
    statements.flatMap(({ idWasSent, id }) => (idWasSent || again ? id : [])),
  );
}

/**
 * Writes several requests as one batch, which presumes that all is as it mostly is: the statements are new, refer to none and
 * nobody refers to them, and what is cached counts. Their positions are made by the server.
 * @param next called when the next batch may be sent behind this one.
 * @returns undefined when it is not so; then nothing is written.
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
    return batchLook(db, clock, {
      ids: idsOf(requests),
      agentsEpochs: agents,
      // What was read now and what is cached must count both.
      definitionsEpochs:
        readEpoch === undefined || definitions?.includes(readEpoch) === false ? definitions : [readEpoch],
      undefinedActivities: recorded.undefinedActivities.map((id) => Buffer.from(keyOf(id), 'hex')),
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
 * Writes several requests in one transaction; a refused one leaves no trace and does not touch the others. The number of
 * SQL statements does not depend on how much is written.
 * @throws TooLargeError, GroupTooLargeError.
 */
export async function writeRequests(
  session: WriteSession,
  requests: readonly WriteRequest[],
  { clock, index, mentions, again = false, ...context }: WriteContext,
): Promise<WriteResult> {
  // The lock may be lost, together with the connection, before what is read under it is known here.
  const beforeLock = clock.now();
  const ids = idsOf(requests, again);
  const checked = await checkConflicts(session, ids);
  const { newest, taken, awaited, leftPending } = checked;
  const now = clock.timeOf(beforeLock, checked.now);
  mentions.adopt(checked);
  const limits = new TransactionLimits(context.limits, requests.length);
  const sent = bytesOf(requests);
  const stored = taken
    ? await TakenStatements.of(session, ids, (count, bytes) => limits.requireFewMore(count, bytes - sent))
    : undefined;
  const { admissions, admitted } = await admitAll(requests, stored);
  const kept = admitted.some((prepared) => prepared.kept !== undefined);
  const positions = kept
    ? await keptPositions(session, admitted, { now: Math.max(now, clock.last + 1), newest })
    : takenPositions(clock, admitted.length, { now, newest });
  let pending: ReadonlySet<string> = none;
  if (admitted.length > 0) {
    const arrivals = arrivalsAt(admitted, positions);
    const { inheritedEntries } = context;
    const effects = await resolveReferences(session, arrivals, { awaited, limits, inheritedEntries });
    const recording = mentions.record(session, placedOf(arrivals), {
      requests: requests.length,
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
  const last = positions.reduce((latest, position) => Math.max(latest, position), newest);
  const consistentThrough = clock.watermark(last, now);
  return {
    admissions,
    stored: admitted.length,
    after: newest,
    positions,
    appended: !kept,
    pending,
    leftPending,
    consistentThrough,
  };
}

function takenPositions(clock: PositionClock, count: number, time: TakingTime): Position[] {
  if (count === 0) return [];
  const first = clock.take(count, time);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** In the order of their positions. */
function arrivalsAt(admitted: readonly PreparedStatement[], positions: readonly Position[]): Arrival[] {
  const arrivals = admitted.map((prepared, index) => ({ prepared, position: positions[index] ?? 0 }));
  return arrivals.sort((a, b) => a.position - b.position);
}

/** What becomes of the requests, and all statements that are new. */
async function admitAll(
  requests: readonly WriteRequest[],
  stored?: TakenStatements,
): Promise<{ readonly admissions: readonly Admission[]; readonly admitted: readonly PreparedStatement[] }> {
  const admissions = await admit(
    requests.map(({ statements }) => statements),
    (id) => stored?.find(id),
  );
  const admitted = admissions.flatMap((admission) => ('admitted' in admission ? admission.admitted : []));
  return { admissions, admitted };
}

function placedOf(arrivals: readonly Arrival[]): PlacedMentions[] {
  return arrivals.map(({ prepared, position }) => ({ position, mentions: prepared.mentions }));
}

/** Of the texts of all statements. */
function bytesOf(requests: readonly WriteRequest[]): number {
  const texts = requests.flatMap(({ statements }) => statements.map(({ text }) => text.length));
  return texts.reduce((sum, length) => sum + length, 0);
}

/**
 * How many statements, and index entries of them, travel to the database at once: what a large batch needs on the way stays
 * small beside itself, and is made ready in a moment.
 */
const sliceStatements = 2000;
const sliceEntries = 20_000;

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
  let end = start;
  while (end < arrivals.length && end - start < sliceStatements && entries < sliceEntries) {
    const keys = arrivals[end]?.prepared.keys;
    entries += (keys?.inheritable.length ?? 0) + (keys?.ownOnly.length ?? 0);
    end += 1;
  }
  return end;
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
    // A statement that refers to another has that one's keys too, perhaps from a later day on.
    const fingerprint = prepared.target === undefined ? prepared.keys.fingerprint : anyFingerprint;
    entries.addAll(node ? entriesOf(node) : inheritable, position, fingerprint);
    entries.addAll(ownOnly, position, fingerprint);
  }
  return entries;
}

function statementRow(prepared: PreparedStatement, position: Position, voided: boolean): InsertRow {
  const { text, timestamp } = prepared.text.stamp(position);
  return [...columnsOf(prepared, position, voided), timestamp, text];
}

function stampedRow({ prepared, position }: Arrival): StampedRow {
  return { values: columnsOf(prepared, position, false), ...prepared.text.pieces() };
}

function columnsOf({ id, values }: PreparedStatement, position: Position, voided: boolean): InsertRow {
  const { verb, actor, object, registration } = values;
  return [position, id, voided ? 1 : 0, verb, actor, object, registration];
}
