import { addToVoided } from '../../counts/tally-store.ts';
import { keyOf } from '../../db/key.ts';
import type { ReadSession, WriteSession } from '../../db/types.ts';
import { giveWayBriefly, mapInTurns } from '../../in-turns.ts';
import { parseStoredValues } from '../../xapi/statement/stored-statement.ts';
import type { PreparedStatement } from '../ingest/prepare.ts';
import type { SearchIndex, StatementEntries } from '../search/search-index.ts';
import {
  keysFromBytes,
  keysOf,
  keysToBytes,
  type SearchKey,
  type StatementKeys,
} from '../search/search-key.ts';
import { statementReferenceTable } from '../tables.ts';
import type { Position } from '../types.ts';
import type { TransactionLimits } from '../write-limits.ts';
import {
  type Awaited,
  type PendingReferences,
  pendingFrom,
  selectAwaited,
  writePending,
} from './pending-references.ts';
import {
  distancesOf,
  entriesOf,
  markVoided,
  type ReferenceNode,
  settleReferences,
} from './reference-graph.ts';

/** A new statement and its position. */
export interface Arrival {
  readonly prepared: PreparedStatement;
  readonly position: Position;
}

/** The most rows, each with its keys, in one SQL statement. */
const sliceRows = 1000;

/** The changes that references cause. */
export interface ReferenceEffects {
  /** The new statements that refer to others or are referred to, by id. */
  readonly arrivals: ReadonlyMap<string, ReferenceNode>;
  /** Statements whose keys are propagated in slices after the commit. */
  readonly pending: readonly PendingReferences[];
  /** Stored statements that become voided, with all search keys that found them. */
  readonly voided: readonly StatementEntries[];
}

/** What is known before references are resolved, and the limits of this transaction. */
export interface ResolveOptions {
  /** Whether a stored statement may refer to a new one. */
  readonly awaited: boolean;
  readonly limits: TransactionLimits;
  /** The most index entries that references add in this transaction; the rest is added in slices. */
  readonly inheritedEntries: number;
}

/**
 * Computes which keys the new statements inherit and pass on, and which statements they void.
 * @throws TooLargeError, GroupTooLargeError
 */
export async function resolveReferences(
  session: WriteSession,
  arrivals: readonly Arrival[],
  { awaited, limits, inheritedEntries }: ResolveOptions,
): Promise<ReferenceEffects> {
  const ids = new Set(arrivals.map(({ prepared }) => prepared.id));
  const targetIds = new Set(arrivals.flatMap(({ prepared }) => prepared.target ?? []));
  const storedTargetIds = [...targetIds].filter((id) => !ids.has(id));
  const [waiting, targets] = await Promise.all([
    awaited ? selectAwaited(session, clientChosenIds(arrivals)) : new Map<string, Awaited>(),
    selectSmallTargets(session, storedTargetIds, limits),
  ]);
  const involved = arrivals.filter(
    ({ prepared: { id, target } }) => target !== undefined || targetIds.has(id) || waiting.has(id),
  );
  const graph = (): Map<string, ReferenceNode> => {
    const stored = targets.map(({ node }) => [node.id, node] as const);
    return new Map([
      ...stored,
      ...involved.map((arrival) => [arrival.prepared.id, arrivingNode(arrival)] as const),
    ]);
  };
  let nodes = graph();
  const complete = settleReferences(nodes, inheritedEntries);
  if (!complete) nodes = graph();
  const voidedBefore = new Set(targets.flatMap(({ node }) => (node.voided ? node.id : [])));
  markVoided(nodes);
  for (const [id, { voided }] of waiting) {
    const node = nodes.get(id);
    if (node && voided && !node.voids) node.voided = true;
  }
  const voided = targets
    .filter(({ node }) => node.voided && !voidedBefore.has(node.id))
    .map(({ node, authorityKeys }) => ({
      position: node.position,
      keys: [...entriesOf(node), ...authorityKeys],
    }));
  const removed = voided.reduce((sum, { keys }) => sum + keys.length, 0);
  limits.requireFewRemovals(voided.length, removed);
  const arriving = involved.flatMap(({ prepared: { id } }) => nodes.get(id) ?? []);
  return {
    arrivals: new Map(arriving.map((node) => [node.id, node])),
    pending: complete ? [...waiting.keys()].map((id) => pendingFrom(id, 0)) : pendingOf(nodes, waiting),
    voided,
  };
}

/** Measures the targets before it reads them. */
async function selectSmallTargets(
  session: ReadSession,
  ids: readonly string[],
  limits: TransactionLimits,
): Promise<StoredTarget[]> {
  if (ids.length > 1) {
    const [row] = await session.select<{ bytes: number | null }>(
      'SELECT SUM(OCTET_LENGTH(payload)) AS bytes FROM statement WHERE id IN (:ids)',
      { ids },
    );
    limits.requireSmallTargets(ids.length, Number(row?.bytes ?? 0));
  }
  return selectTargets(session, ids);
}

/** The targets in an order in which each is complete before it passes its keys on. */
function pendingOf(
  nodes: ReadonlyMap<string, ReferenceNode>,
  waiting: ReadonlyMap<string, Awaited>,
): PendingReferences[] {
  const targets = new Set([...nodes.values()].flatMap(({ target }) => target ?? []));
  return [...distancesOf(nodes)]
    .filter(([id]) => targets.has(id) || waiting.has(id))
    .map(([id, distance]) => pendingFrom(id, distance));
}

/** Writes what `resolveReferences` computed, except the rows and keys of the new statements themselves. */
export async function writeReferences(
  session: WriteSession,
  index: SearchIndex,
  { arrivals, pending, voided }: ReferenceEffects,
): Promise<void> {
  await addToVoided(session, voided.length + [...arrivals.values()].filter((node) => node.voided).length);
  await insertReferences(
    session,
    [...arrivals.values()].filter(({ target }) => target !== undefined),
  );
  await writePending(session, pending);
  if (voided.length === 0) return;
  const positions = voided.map(({ position }) => position);
  await session.execute('UPDATE statement SET voided = 1 WHERE position IN (:positions)', { positions });
  await index.remove(session, voided);
}

/** Inserts the rows of statements that refer to others. */
export async function insertReferences(
  session: WriteSession,
  nodes: readonly ReferenceNode[],
): Promise<void> {
  for (let start = 0; start < nodes.length; start += sliceRows) {
    await session.insert(statementReferenceTable, nodes.slice(start, start + sliceRows).map(referenceRow));
  }
}

function referenceRow({ position, id, target, voids, keys, authority, keysOfOthers }: ReferenceNode) {
  const marks = [authority ?? null, keysToBytes(keysOfOthers)];
  return [position, id, target ?? null, voids ? 1 : 0, keysToBytes(keys), ...marks];
}

/** A row of `statement_reference`, and whether its statement is voided. */
export interface ReferenceRow extends HeldRow {
  readonly id: string;
  readonly position: number;
  readonly voided: number;
  readonly target: string;
  readonly voids: number;
  readonly authority_key: Buffer | null;
}

/** The search keys in a row of `statement_reference`. */
interface HeldRow {
  readonly search_keys: Buffer;
  /** The `keysOfOthers` of the statement. */
  readonly foreign_keys: Buffer | null;
}

function heldKeys({ search_keys, foreign_keys }: HeldRow): Pick<ReferenceNode, 'keys' | 'keysOfOthers'> {
  return {
    keys: keysFromBytes(search_keys),
    keysOfOthers: foreign_keys === null ? [] : keysFromBytes(foreign_keys),
  };
}

/** A stored statement that refers to another. */
export function referringNode(row: ReferenceRow): ReferenceNode {
  return {
    id: row.id,
    position: row.position,
    target: row.target,
    voids: row.voids === 1,
    voided: row.voided === 1,
    authority: row.authority_key?.toString('hex'),
    ...heldKeys(row),
    added: [],
  };
}

function clientChosenIds(arrivals: readonly Arrival[]): string[] {
  return arrivals.flatMap(({ prepared: { id, idWasSent } }) => (idWasSent ? id : []));
}

interface TargetRow {
  readonly id: string;
  readonly position: number;
  readonly voided: number;
  readonly payload: string;
  readonly voids: number | null;
  readonly search_keys: Buffer | null;
  readonly foreign_keys: Buffer | null;
}

/** A stored statement that others refer to. */
export interface StoredTarget {
  readonly node: ReferenceNode;
  readonly authorityKeys: readonly SearchKey[];
  /** The length of the stored text in bytes. */
  readonly bytes: number;
}

/** The most stored statements that one SQL statement reads. */
const targetsAtOnce = 100;

/** The stored statements with these ids, with the keys that they have inherited so far; slices add the rest. */
export async function selectTargets(session: ReadSession, ids: readonly string[]): Promise<StoredTarget[]> {
  const targets: StoredTarget[] = [];
  for (let start = 0; start < ids.length; start += targetsAtOnce) {
    const rows = await session.select<TargetRow>(
      `SELECT s.id, s.position, s.voided, s.payload, r.voids, r.search_keys, r.foreign_keys
       FROM statement s LEFT JOIN statement_reference r ON r.position = s.position
       WHERE s.id IN (:ids)`,
      { ids: ids.slice(start, start + targetsAtOnce) },
    );
    targets.push(...(await mapInTurns(rows, storedTarget, giveWayBriefly)));
  }
  return targets;
}

function storedTarget({ search_keys, ...row }: TargetRow): StoredTarget {
  const own = keysOf(parseStoredValues(row.payload));
  const held = search_keys && heldKeys({ search_keys, foreign_keys: row.foreign_keys });
  return {
    node: {
      id: row.id,
      position: row.position,
      target: undefined,
      voids: row.voids === 1,
      voided: row.voided === 1,
      authority: authorityKey(own),
      ...(held ?? { keys: [...own.inheritable], keysOfOthers: [] }),
      added: [],
    },
    authorityKeys: own.ownOnly,
    bytes: row.payload.length,
  };
}

function arrivingNode({ prepared, position }: Arrival): ReferenceNode {
  return {
    id: prepared.id,
    position,
    target: prepared.target,
    voids: prepared.voids,
    voided: false,
    authority: authorityKey(prepared.keys),
    keys: [...prepared.keys.inheritable],
    keysOfOthers: [],
    added: [],
  };
}

/** One search key for all identifiers of an authority. */
function authorityKey({ ownOnly }: StatementKeys): SearchKey {
  return keyOf(ownOnly.toSorted().join(' '));
}
