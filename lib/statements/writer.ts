import type { InsertRow, WriteSession } from '../db/types.ts';
import { type Admission, admit } from './admit.ts';
import { anyFingerprint } from './fingerprint.ts';
import type { PositionClock } from './position.ts';
import type { PreparedStatement } from './prepare.ts';
import { entriesOf } from './reference-graph.ts';
import { type Arrival, type ReferenceEffects, resolveReferences, writeReferences } from './references.ts';
import type { SearchIndex } from './search-index.ts';
import { KeyPositions } from './search-key.ts';
import type { SightingRecorder } from './sightings.ts';
import type { Succession } from './succession.ts';
import { nothing, type Survey, survey } from './survey.ts';
import { attachmentTable, statementAttachmentTable, statementTable } from './tables.ts';
import { TakenStatements } from './taken.ts';
import type { AttachmentContent, Position } from './types.ts';
import { TransactionLimits, type WriteLimits } from './write-limits.ts';

/** One request's statements and the contents that came with them. */
export interface WriteRequest {
  readonly statements: readonly PreparedStatement[];
  readonly contents: readonly AttachmentContent[];
}

/** What gives statements their places and keeps what they tell. */
export interface WriteContext {
  readonly clock: PositionClock;
  readonly index: SearchIndex;
  readonly sightings: SightingRecorder;
  readonly succession: Succession;
  readonly limits: WriteLimits;
  /** How many index entries one transaction adds through references. */
  readonly inheritedEntries: number;
  /** Whether nothing is to be presumed. */
  readonly patient?: boolean;
  /** Told, as soon as the write lock is held, a position that everything written from now on comes after. */
  readonly onLocked: (position: Position) => void;
}

export interface WriteResult {
  /** What became of each request, in their order. */
  readonly admissions: readonly Admission[];
  /** Once this is committed, no statement at or before this position becomes visible later. */
  readonly consistentThrough: Position;
  /** How many statements are new. */
  readonly stored: number;
  /** The statements whose keys are to be handed on in slices, once this is committed. */
  readonly pending: ReadonlySet<string>;
  /** Whether there was something of that kind before. */
  readonly leftPending: boolean;
  /** To be called once the transaction is committed, and only then. */
  readonly committed: () => void;
}

const none: ReadonlySet<string> = new Set();

/** What was taken to be so when a transaction was sent is not so. It is to be rolled back and run again. */
export class PresumptionError extends Error {}

/**
 * Writes several requests in one transaction; a refused one leaves no trace and does not touch the others. The number of
 * SQL statements does not depend on how much is written. Where no other process has had the lock since this one had it, all is
 * sent without a wait for the first look, as if that showed nothing; whether it does is seen at the end. By the same look
 * what is cached of Agents, names and definitions is found to count, or dropped.
 * @throws PresumptionError when it does not; TooLargeError, GroupTooLargeError.
 */
export async function writeRequests(
  session: WriteSession,
  requests: readonly WriteRequest[],
  context: WriteContext,
): Promise<WriteResult> {
  const { clock, sightings, succession, onLocked } = context;
  const presumed = context.patient ? undefined : succession.presume();
  // The lock may be lost, together with the connection, before what is read under it is known here.
  const beforeLock = clock.now();
  const ids = requests.flatMap(({ statements }) =>
    statements.flatMap(({ idWasSent, id }) => (idWasSent ? id : [])),
  );
  const surveying = survey(session, ids);
  const look = async (): Promise<Survey> => {
    const seen = await surveying;
    onLocked(clock.promise(seen.newest, beforeLock));
    return seen;
  };
  if (presumed === undefined) {
    const seen = await look();
    succession.had(seen.turn);
    sightings.adopt(seen);
    return writeKnowing(seen, ids, session, requests, context);
  }
  // What fails before the answer is asked for fails for the same reason.
  surveying.catch(() => {});
  // What is promised when the answer has come must not be later than the positions that are taken now, if the clock steps back.
  clock.promise(0, beforeLock);
  let right = false;
  try {
    const result = await writeKnowing(nothing, ids, session, requests, context);
    const seen = await look();
    const cached = sightings.adopt(seen);
    right = seen.turn === presumed && !seen.taken && !seen.awaited && cached;
    if (right) return { ...result, leftPending: seen.leftPending };
  } catch (error) {
    // What is taken can't be inserted.
    if (!session.dialect.isUniqueViolation(error)) throw error;
  } finally {
    succession.presumed(right);
  }
  throw new PresumptionError();
}

async function writeKnowing(
  { newest, taken, awaited, leftPending }: typeof nothing,
  ids: readonly string[],
  session: WriteSession,
  requests: readonly WriteRequest[],
  { clock, index, sightings, ...context }: WriteContext,
): Promise<WriteResult> {
  const limits = new TransactionLimits(context.limits, requests.length);
  const sent = bytesOf(requests);
  const stored = taken
    ? await TakenStatements.of(session, ids, (count, bytes) => limits.requireFewMore(count, bytes - sent))
    : undefined;
  const admissions = await admit(
    requests.map(({ statements }) => statements),
    (id) => stored?.find(id),
  );
  const admitted = admissions.flatMap((admission) => ('admitted' in admission ? admission.admitted : []));
  let committed = () => {};
  let last = newest;
  let pending: ReadonlySet<string> = none;
  if (admitted.length > 0) {
    const first = clock.take(admitted.length, newest);
    last = first + admitted.length - 1;
    const arrivals = admitted.map((prepared, index) => ({ prepared, position: first + index }));
    const { inheritedEntries } = context;
    const effects = await resolveReferences(session, arrivals, { awaited, limits, inheritedEntries });
    const placed = arrivals.map(({ prepared, position }) => ({ position, sightings: prepared.sightings }));
    const recording = sightings.record(session, placed, requests.length);
    await together([
      recording,
      insertStatements(session, index, arrivals, effects),
      insertContents(session, arrivals, contentsOf(requests, admissions)),
    ]);
    committed = await recording;
    await writeReferences(session, index, effects);
    if (effects.pending.length > 0) pending = new Set(effects.pending.map(({ target }) => target));
  }
  const consistentThrough = clock.promise(last);
  return { admissions, stored: admitted.length, pending, leftPending, consistentThrough, committed };
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
    session.commitBehind(rows);
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

/**
 * Writes that don't wait for each other's way to the database. All of them have ended when this does, whatever becomes of
 * them: a transaction must not be rolled back under a running statement.
 */
async function together(writes: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(writes);
  await Promise.all(writes);
}

function statementRow(prepared: PreparedStatement, position: Position, voided: boolean): InsertRow {
  const { verb, actor, object, registration } = prepared.values;
  const { text, timestamp } = prepared.text.stamp(position);
  return [position, prepared.id, voided ? 1 : 0, verb, actor, object, registration, timestamp, text];
}

/** The contents that came with the requests of which something is stored. */
function contentsOf(
  requests: readonly WriteRequest[],
  admissions: readonly Admission[],
): Map<string, AttachmentContent> {
  const stored = requests.filter((_, index) => {
    const admission = admissions[index];
    return admission !== undefined && 'admitted' in admission && admission.admitted.length > 0;
  });
  return new Map(stored.flatMap(({ contents }) => contents.map((content) => [content.sha2, content])));
}

async function insertContents(
  session: WriteSession,
  arrivals: readonly Arrival[],
  contents: ReadonlyMap<string, AttachmentContent>,
): Promise<void> {
  const uses = arrivals.flatMap(({ prepared, position }) =>
    prepared.contents.map(({ sha2, contentType }) => [position, sha2, contentType] as const),
  );
  const used = new Set(uses.map(([, sha2]) => sha2));
  await session.insert(
    attachmentTable,
    [...contents.values()]
      .filter(({ sha2 }) => used.has(sha2))
      .map(({ sha2, content }) => [sha2, content.length, content]),
    { skipTaken: true },
  );
  await session.insert(statementAttachmentTable, uses);
}
