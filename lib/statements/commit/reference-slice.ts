import type { ReadSession, WriteSession } from '../../db/types.ts';
import { anyFingerprint } from '../search/fingerprint.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { KeyPositions } from '../search/search-key.ts';
import {
  deletePending,
  type PendingReferences,
  pendingFrom,
  selectPending,
  writePending,
} from './pending-references.ts';
import { entriesFrom, inherit, type ReferenceNode } from './reference-graph.ts';
import { insertReferences, type ReferenceRow, referringNode, selectTargets } from './references.ts';

/**
 * The most that one transaction does: index entries, statements, queries, and bytes of statements whose keys are passed on.
 * A single larger statement is still processed.
 */
const most = { entries: 5000, statements: 500, queries: 400, bytes: 1_048_576 };
type Limits = typeof most;
/** The number of pending targets that share a transaction, so that a large target does not delay small ones. */
const targetsAtOnce = 10;

/**
 * Passes the keys of pending targets on to some of the statements that refer to them, and records the progress. A statement
 * that gains keys and has referrers itself becomes pending in turn. Call it in a transaction of its own; any process may
 * continue the work of another.
 * @param share the fraction of the most work that this slice may do.
 * @returns whether slices may be left.
 */
export async function propagateSlice(
  session: WriteSession,
  index: SearchIndex,
  share: number,
): Promise<boolean> {
  const pending = await selectPending(session, targetsAtOnce);
  if (pending.length === 0) return false;
  const slice = new Slice(session, pending, limitsOf(share));
  await slice.run();
  await slice.write(index);
  return true;
}

function limitsOf(share: number): Limits {
  const part = (full: number): number => Math.ceil(full * share);
  const { entries, statements, queries, bytes } = most;
  return {
    entries: part(entries),
    statements: part(statements),
    queries: part(queries),
    bytes: part(bytes),
  };
}

class Slice {
  readonly #session: WriteSession;
  readonly #limits: Limits;
  /** The pending targets in the order in which they are processed. */
  readonly #queue: Map<string, PendingReferences>;
  readonly #done = new Set<string>();
  /** The targets that were processed and are not complete. */
  readonly #rests = new Map<string, PendingReferences>();
  /** Statements that gained keys, by id. */
  readonly #changed = new Map<string, ReferenceNode>();
  readonly #share: number;
  #entries: number;
  #queries: number;
  #bytes: number;

  constructor(session: WriteSession, pending: readonly PendingReferences[], limits: Limits) {
    this.#session = session;
    this.#limits = limits;
    this.#entries = limits.entries;
    this.#queries = limits.queries;
    this.#bytes = limits.bytes;
    this.#queue = new Map(pending.map((each) => [each.target, each]));
    this.#share = Math.ceil(limits.entries / pending.length);
  }

  async run(): Promise<void> {
    for (const [id, item] of this.#queue) {
      if (this.#isFull) return;
      const source = this.#changed.get(id) ?? (await this.#read(id));
      // An erased statement passes nothing on.
      const rest = source && (await this.#propagate(source, item));
      // If it gains keys later it goes to the end of the queue and starts again.
      this.#queue.delete(id);
      if (rest === undefined) this.#done.add(id);
      else this.#rests.set(id, rest);
    }
  }

  get #isFull(): boolean {
    return (
      this.#entries <= 0 ||
      this.#queries <= 0 ||
      this.#bytes <= 0 ||
      this.#changed.size >= this.#limits.statements
    );
  }

  /** Read one at a time, because each may have megabytes that are parsed to compute its keys. */
  async #read(id: string): Promise<ReferenceNode | undefined> {
    const [source] = await selectTargets(this.#session, [id]);
    this.#queries -= 1;
    this.#bytes -= source?.bytes ?? 0;
    return source?.node;
  }

  /** @returns the position to continue from; undefined when all referrers have the keys. */
  async #propagate(source: ReferenceNode, item: PendingReferences): Promise<PendingReferences | undefined> {
    const cost = Math.max(1, entriesFrom(source));
    const rows = Math.max(
      1,
      Math.min(this.#limits.statements - this.#changed.size, Math.floor(this.#share / cost)),
    );
    const referrers = await selectReferrers(this.#session, item, rows);
    this.#queries -= 1;
    let { referrersThrough, voidersThrough } = item;
    for (const row of referrers) {
      const node = this.#changed.get(row.id) ?? referringNode(row);
      const added = inherit(node, source);
      this.#entries -= added;
      if (added > 0) this.#changed.set(node.id, node);
      if (added > 0 && row.awaited) this.#append(node.id, item.step + 1);
      if (node.voids) voidersThrough = Math.max(voidersThrough, node.position);
      else referrersThrough = Math.max(referrersThrough, node.position);
    }
    const voiders = referrers.filter(({ voids }) => voids === 1).length;
    const ended = voiders < rows && referrers.length - voiders < rows;
    return ended ? undefined : { ...item, referrersThrough, voidersThrough };
  }

  #append(target: string, step: number): void {
    this.#done.delete(target);
    this.#rests.delete(target);
    // A target that is queued already keeps its place.
    this.#queue.set(target, pendingFrom(target, this.#queue.get(target)?.step ?? step));
  }

  async write(index: SearchIndex): Promise<void> {
    const session = this.#session;
    const nodes = [...this.#changed.values()];
    if (nodes.length > 0) {
      const positions = nodes.map(({ position }) => position);
      await session.execute('DELETE FROM statement_reference WHERE position IN (:positions)', { positions });
      await insertReferences(session, nodes);
      const entries = new KeyPositions();
      for (const { added, position, voided } of nodes) {
        if (!voided) entries.addAll(added, position, anyFingerprint);
      }
      await index.addToStored(session, entries);
    }
    await writePending(session, [...this.#rests.values(), ...this.#queue.values()]);
    const done = [...this.#done];
    if (done.length > 0) await deletePending(session, done);
  }
}

interface ReferrerRow extends ReferenceRow {
  /** Whether other statements refer to it. */
  readonly awaited: number | boolean;
}

/** The next referrers of the target, up to the two limits: one for all, one for those that void it. */
function selectReferrers(
  session: ReadSession,
  { target, referrersThrough, voidersThrough }: PendingReferences,
  rows: number,
): Promise<ReferrerRow[]> {
  return session.select<ReferrerRow>(
    `SELECT r.id, r.position, s.voided, r.target, r.voids, r.search_keys, r.authority_key, r.foreign_keys,
       EXISTS (SELECT 1 FROM statement_reference other WHERE other.target = r.id) AS awaited
     FROM (
       SELECT * FROM (
         SELECT position FROM statement_reference WHERE target = :target AND voids = 0 AND position > :referrersThrough
         ORDER BY position LIMIT :rows
       ) referrers
       UNION ALL
       SELECT * FROM (
         SELECT position FROM statement_reference WHERE target = :target AND voids = 1 AND position > :voidersThrough
         ORDER BY position LIMIT :rows
       ) voiders
     ) part
     JOIN statement_reference r ON r.position = part.position
     JOIN statement s ON s.position = part.position`,
    { target, referrersThrough, voidersThrough, rows },
  );
}
