import type { PreparedBatch, StatementMaker } from '../../statements/within.ts';
import { searchTerms } from '../../xapi/search-terms.ts';
import type { Statement } from '../../xapi/types.ts';
import type { Match, Participant } from '../match/participant.ts';
import { valueAt } from '../value.ts';

/** What a transaction has to do for a statement, as estimated, beside storing its bytes. */
export interface WriteCost {
  /**
   * Entries of the search index: those of the statement, those that it inherits, and those that are removed of what it voids,
   * which count once for a trigger.
   */
  readonly indexEntries: number;
  /** The stored statements that it refers to, which are read. */
  readonly targets: readonly Target[];
}

/** A stored statement that another one refers to. */
interface Target {
  /** In lower case. */
  readonly id: string;
  readonly bytes: number;
}

/** A reference hands on at most so many entries (docs/decisions/0006-references-are-resolved-when-writing.md). */
const mostHanded = 256;

/** The fewest bytes of a statement for each of its entries: an Activity `{"id":"a:b"}` has two. */
const bytesPerEntry = 6;
/** The most entries that are assumed of a statement that is not at hand: as many as a client may write by default. */
const mostAssumed = 15_000;

interface MeasuredTarget extends Target {
  readonly indexEntries: number;
}

/** Estimates what it costs to store the statements that a trigger causes in a reaction. */
export class WriteCosts {
  /** By id; undefined while the statement is not measured. */
  readonly #targets = new Map<string, MeasuredTarget | undefined>();
  readonly #voided = new Set<string>();

  /** Notes what the statements of a match refer to: usually a statement of the match. */
  note({ statements }: PreparedBatch, match: Match): void {
    for (const { target } of statements) {
      if (target === undefined || this.#targets.get(target) !== undefined) continue;
      const found = [...match.values()].find(({ id }) => id === target);
      this.#targets.set(target, found && targetIn(found));
    }
  }

  /** Measures the others. */
  async measure(statements: Pick<StatementMaker, 'sizesOf'>): Promise<void> {
    const ids = [...this.#targets].flatMap(([id, target]) => (target === undefined ? id : []));
    if (ids.length === 0) return;
    const sizes = await statements.sizesOf(ids);
    for (const id of ids) {
      const { bytes = 0, isReference = false } = sizes.get(id) ?? {};
      const own = Math.min(mostAssumed, Math.ceil(bytes / bytesPerEntry));
      this.#targets.set(id, { id, bytes, indexEntries: own + (isReference ? mostHanded : 0) });
    }
  }

  /** To be called once for each batch. */
  costOf({ statements }: PreparedBatch): WriteCost {
    let indexEntries = 0;
    const targets: Target[] = [];
    for (const { keys, target: id, voids } of statements) {
      indexEntries += keys.inheritable.length + keys.ownOnly.length;
      const target = id === undefined ? undefined : this.#targets.get(id);
      if (id === undefined || target === undefined) continue;
      if (!voids) indexEntries += Math.min(target.indexEntries, mostHanded);
      else if (isFirst(this.#voided, id)) indexEntries += target.indexEntries;
      targets.push(target);
    }
    return { indexEntries, targets };
  }
}

function isFirst(before: Set<string>, id: string): boolean {
  const { size } = before;
  return before.add(id).size > size;
}

function targetIn({ id, value, text }: Participant): MeasuredTarget {
  const inherited = valueAt(value, ['object', 'objectType']) === 'StatementRef' ? mostHanded : 0;
  // It is stored, so it is valid.
  const indexEntries = searchTerms(value as unknown as Statement).length + inherited;
  return { id, bytes: Buffer.byteLength(text), indexEntries };
}
