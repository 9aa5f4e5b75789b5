import { smallContentBytes } from '../../db/types.ts';
import type { Json } from '../../json/types.ts';
import { mostInherited, type PreparedBatch, type StatementMaker } from '../../statements/within.ts';
import { searchTerms } from '../../xapi/search-terms.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Match, Participant } from '../match/participant.ts';
import { valueAt } from '../value.ts';

/** What a transaction has to do for a statement, as estimated, beside storing its bytes. */
export interface WriteCost {
  /** Entries of the search index: those of the statement, and those that it inherits. */
  readonly indexEntries: number;
  /** What it refers to, and what has its id: such statements are read if they are stored. */
  readonly targets: readonly Target[];
}

/** A stored statement, in lower case its id. */
interface StoredStatement {
  readonly id: string;
  /** 0 while it is missing. */
  readonly bytes: number;
}

/** One that another one refers to. */
interface Target extends StoredStatement {
  /** The entries of the search index that are removed because it is voided. */
  readonly voidedEntries: number;
}

/** The fewest bytes of a statement for each of its entries: an Activity `{"id":"a:b"}` has one. */
const bytesPerEntry = 12;
/** The most entries that are assumed of a statement that is not read: as many as a client may write by default. */
const mostAssumed = 15_000;

/** So many bytes of statements that are voided and in no match are read for a reaction, to count their entries. */
const mostRead = 8_388_608;
/** So many of them at once, unless a single one has more: few enough that no other read is waited for. */
const readAtOnce = smallContentBytes;

interface MeasuredTarget extends StoredStatement {
  readonly indexEntries: number;
}

/** Knows stored statements. */
type Stored = Pick<StatementMaker, 'sizesOf' | 'textsOf'>;

/** Estimates what it costs to store the statements that a trigger causes in a reaction. */
export class WriteCosts {
  /** By id. */
  readonly #targets = new Map<string, MeasuredTarget>();
  /** The ids of those that are to be measured. */
  readonly #unmeasured = new Set<string>();
  readonly #voided = new Set<string>();

  /** Notes what the statements of a match refer to: usually a statement of the match. */
  note({ statements }: PreparedBatch, match: Match): void {
    for (const { target, voids } of statements) {
      if (target === undefined) continue;
      const isNewlyVoided = voids && isFirst(this.#voided, target);
      if (this.#targets.has(target) && !isNewlyVoided) continue;
      const found = [...match.values()].find(({ id }) => id === target);
      if (found === undefined || (voids && isReference(found))) this.#unmeasured.add(target);
      if (found !== undefined) this.#targets.set(target, targetIn(found));
    }
  }

  /**
   * Measures the others. Of those that are voided, the shortest are read as far as that is permitted.
   * @param counting counts the entries of a text; it may wait for its turn.
   */
  async measure(stored: Stored, counting: (count: () => number) => Promise<number>): Promise<void> {
    const ids = [...this.#unmeasured];
    if (ids.length === 0) return;
    const sizes = await stored.sizesOf(ids);
    const uncounted: StoredStatement[] = [];
    for (const id of ids) {
      const { bytes = 0, indexEntries } = sizes.get(id) ?? {};
      const assumed = Math.min(mostAssumed, Math.ceil(bytes / bytesPerEntry));
      this.#targets.set(id, { id, bytes, indexEntries: indexEntries ?? assumed });
      if (bytes > 0 && indexEntries === undefined && this.#voided.has(id)) uncounted.push({ id, bytes });
    }
    for (const some of readTogether(uncounted)) {
      const texts = await stored.textsOf(
        some.map(({ id }) => id),
        some.reduce((sum, { bytes }) => sum + bytes, 0),
      );
      for (const target of some) {
        const text = texts.get(target.id);
        if (text === undefined) continue;
        const indexEntries = await counting(() => entriesIn(JSON.parse(text)));
        this.#targets.set(target.id, { ...target, indexEntries });
      }
    }
  }

  costOf({ statements }: PreparedBatch): WriteCost {
    let indexEntries = 0;
    const targets: Target[] = [];
    for (const { keys, target: id, voids } of statements) {
      indexEntries += keys.inheritable.length + keys.ownOnly.length;
      const target = id === undefined ? undefined : this.#targets.get(id);
      if (id === undefined || target === undefined) continue;
      if (!voids) indexEntries += Math.min(target.indexEntries, mostInherited);
      targets.push({ id, bytes: target.bytes, voidedEntries: voids ? target.indexEntries : 0 });
    }
    return { indexEntries, targets };
  }
}

/** The shortest of them, in slices that are read together. */
function readTogether(targets: readonly StoredStatement[]): StoredStatement[][] {
  const slices: StoredStatement[][] = [];
  let all = 0;
  let together = 0;
  for (const target of targets.toSorted((one, other) => one.bytes - other.bytes)) {
    all += target.bytes;
    if (all > mostRead) break;
    together += target.bytes;
    const last = slices.at(-1);
    if (last !== undefined && together <= readAtOnce) last.push(target);
    else {
      slices.push([target]);
      together = target.bytes;
    }
  }
  return slices;
}

function isFirst(before: Set<string>, id: string): boolean {
  const { size } = before;
  return before.add(id).size > size;
}

function isReference({ value }: Participant): boolean {
  return valueAt(value, ['object', 'objectType']) === 'StatementRef';
}

function targetIn(found: Participant): MeasuredTarget {
  const { id, value, text } = found;
  const inherited = isReference(found) ? mostInherited : 0;
  return { id, bytes: Buffer.byteLength(text), indexEntries: entriesIn(value) + inherited };
}

/** The number of entries that a stored statement has, without those that it inherits. It is stored, so it is valid. */
function entriesIn(value: Json): number {
  return searchTerms(value as unknown as Statement).length;
}
