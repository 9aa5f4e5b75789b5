import { keyOf } from '../db/key.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import { anyFingerprint } from './fingerprint.ts';
import type { PreparedStatement } from './prepare.ts';
import { entriesOf, type ReferenceNode, settleReferences } from './reference-graph.ts';
import type { SearchIndex } from './search-index.ts';
import {
  KeyPositions,
  keysFromBytes,
  keysOf,
  keysToBytes,
  type SearchKey,
  type StatementKeys,
} from './search-key.ts';
import { parseStored } from './stored-statement.ts';
import { statementReferenceTable } from './tables.ts';
import type { Position } from './types.ts';

/** A new statement and its place. */
export interface Arrival {
  readonly prepared: PreparedStatement;
  readonly position: Position;
}

/**
 * Through how many references a late target is found at least. It bounds what one statement can set in motion when many
 * that share their keys wait in a chain.
 */
const lateReach = 256;

/** How many rows, each with its keys, travel to the database in one SQL statement. */
const sliceRows = 1000;

/** What changes through references. */
export interface ReferenceEffects {
  /** The arrivals that refer or are referred to, by id. */
  readonly arrivals: ReadonlyMap<string, ReferenceNode>;
  /** Stored statements that are found by more keys from now on. */
  readonly enriched: readonly ReferenceNode[];
  /** Stored statements that are voided from now on, with all the keys that they were found by. */
  readonly voided: readonly { readonly position: Position; readonly keys: readonly SearchKey[] }[];
}

/**
 * Works out what the arrivals inherit, hand up and void, together with what is stored.
 * @param awaited whether any stored statement may refer to an arrival.
 */
export async function resolveReferences(
  session: ReadSession,
  arrivals: readonly Arrival[],
  awaited: boolean,
): Promise<ReferenceEffects> {
  const ids = new Set(arrivals.map(({ prepared }) => prepared.id));
  const targetIds = new Set(arrivals.flatMap(({ prepared }) => prepared.target ?? []));
  const [waiting, targets] = await Promise.all([
    awaited ? selectWaiting(session, arrivals) : [],
    selectTargets(
      session,
      [...targetIds].filter((id) => !ids.has(id)),
    ),
  ]);

  const nodes = new Map(waiting.map((node) => [node.id, node]));
  const wanted = new Set([...targetIds, ...waiting.flatMap(({ target }) => target ?? [])]);
  const storedTargets = targets.map(({ node: found, authorityKeys }) => {
    const node = nodes.get(found.id) ?? found;
    nodes.set(node.id, node);
    return { node, authorityKeys, wasVoided: node.voided };
  });
  const arriving = arrivals
    .filter(({ prepared }) => prepared.target !== undefined || wanted.has(prepared.id))
    .map(arrivingNode);
  for (const node of arriving) nodes.set(node.id, node);

  settleReferences(nodes);
  return {
    arrivals: new Map(arriving.map((node) => [node.id, node])),
    enriched: waiting.filter(({ added }) => added.length > 0),
    voided: storedTargets
      .filter(({ node, wasVoided }) => node.voided && !wasVoided)
      .map(({ node, authorityKeys }) => ({
        position: node.position,
        keys: [...entriesOf(node), ...authorityKeys],
      })),
  };
}

/** Writes what `resolveReferences` found, except the rows and keys of the arrivals themselves. */
export async function writeReferences(
  session: WriteSession,
  index: SearchIndex,
  { arrivals, enriched, voided }: ReferenceEffects,
): Promise<void> {
  if (enriched.length > 0) {
    const positions = enriched.map(({ position }) => position);
    await session.execute('DELETE FROM statement_reference WHERE position IN (:positions)', { positions });
  }
  const sources = [...arrivals.values()].filter(({ target }) => target !== undefined);
  const rows = [...sources, ...enriched];
  for (let start = 0; start < rows.length; start += sliceRows) {
    await session.insert(statementReferenceTable, rows.slice(start, start + sliceRows).map(referenceRow));
  }
  if (enriched.length === 0 && voided.length === 0) return;

  await index.settle(session);
  const entries = new KeyPositions();
  for (const node of enriched) {
    if (!node.voided) entries.addAll(node.added, node.position, anyFingerprint);
  }
  await index.addToStored(session, entries);
  const positions = voided.map(({ position }) => position);
  await session.execute('UPDATE statement SET voided = 1 WHERE position IN (:positions)', { positions });
  for (const { position, keys } of voided) await index.remove(session, position, keys);
}

function referenceRow({ position, id, target, voids, keys, authority, foreignKeys }: ReferenceNode) {
  const marks = [authority ?? null, keysToBytes(foreignKeys)];
  return [position, id, target ?? null, voids ? 1 : 0, keysToBytes(keys), ...marks];
}

interface ReferenceRow extends HeldRow {
  readonly id: string;
  readonly position: number;
  readonly voided: number;
  readonly target: string;
  readonly voids: number;
  readonly authority_key: Buffer | null;
}

/** The keys in a row of `statement_reference`. */
interface HeldRow {
  readonly search_keys: Buffer;
  readonly foreign_keys: Buffer | null;
}

function heldKeys({ search_keys, foreign_keys }: HeldRow): Pick<ReferenceNode, 'keys' | 'foreignKeys'> {
  return {
    keys: keysFromBytes(search_keys),
    foreignKeys: foreign_keys === null ? [] : keysFromBytes(foreign_keys),
  };
}

/**
 * The stored statements that refer to the arrivals, directly or through others. None is met twice: the references of each
 * end in an arrival, so there is no circle among them.
 */
async function selectWaiting(session: ReadSession, arrivals: readonly Arrival[]): Promise<ReferenceNode[]> {
  const ids = arrivals.map(({ prepared }) => prepared.id);
  const rows = await session.select<ReferenceRow>(
    `WITH RECURSIVE source (id, position, distance) AS (
       SELECT id, position, 1 FROM statement_reference WHERE target IN (:ids)
       UNION ALL
       SELECT r.id, r.position, source.distance + 1
       FROM source JOIN statement_reference r ON r.target = source.id
       WHERE source.distance < :lateReach
     )
     SELECT r.id, r.position, s.voided, r.target, r.voids, r.search_keys, r.authority_key, r.foreign_keys
     FROM source
     JOIN statement_reference r ON r.position = source.position
     JOIN statement s ON s.position = source.position`,
    { ids, lateReach },
  );
  return rows.map((row) => ({
    id: row.id,
    position: row.position,
    target: row.target,
    voids: row.voids === 1,
    voided: row.voided === 1,
    authority: row.authority_key?.toString('hex'),
    ...heldKeys(row),
    added: [],
  }));
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

interface StoredTarget {
  readonly node: ReferenceNode;
  readonly authorityKeys: readonly SearchKey[];
}

/** The stored statements with these ids. What they inherit themselves is complete, so their own targets don't matter. */
async function selectTargets(session: ReadSession, ids: readonly string[]): Promise<StoredTarget[]> {
  if (ids.length === 0) return [];
  const rows = await session.select<TargetRow>(
    `SELECT s.id, s.position, s.voided, s.payload, r.voids, r.search_keys, r.foreign_keys
     FROM statement s LEFT JOIN statement_reference r ON r.position = s.position
     WHERE s.id IN (:ids)`,
    { ids },
  );
  return rows.map(({ search_keys, ...row }) => {
    const own = keysOf(parseStored(row.payload).statement);
    const held = search_keys && heldKeys({ search_keys, foreign_keys: row.foreign_keys });
    return {
      node: {
        id: row.id,
        position: row.position,
        target: undefined,
        voids: row.voids === 1,
        voided: row.voided === 1,
        authority: authorityKey(own),
        ...(held ?? { keys: [...own.inheritable], foreignKeys: [] }),
        added: [],
      },
      authorityKeys: own.ownOnly,
    };
  });
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
    foreignKeys: [],
    added: [],
  };
}

/** One key for all identifiers of an authority. */
function authorityKey({ ownOnly }: StatementKeys): SearchKey {
  return keyOf(ownOnly.toSorted().join(' '));
}
