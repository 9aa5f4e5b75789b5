import type { Position } from '../statements/types.ts';
import { requireNothingBehind, requireSameImport } from './continuation.ts';
import type { Journal, OutcomeName, Progress, RefusedLine } from './journal.ts';
import { RecordSum } from './record-sum.ts';
import type {
  Cursor,
  Entry,
  Outcome,
  RecordKind,
  Source,
  StatementRecord,
  Target,
  TransferRecord,
} from './records.ts';
import { singleStatement } from './single-statement.ts';
import { idOf, withId } from './statement-id.ts';
import { sizeOf } from './statement-size.ts';

export interface ImportOptions {
  readonly source: Source;
  readonly target: Target;
  readonly journal: Journal;
  /** Whether a trusted import may place statements before those that others have stored. */
  readonly merge?: boolean;
  /** Told how many records are done, after each part. */
  readonly onProgress?: (counts: Progress['counts']) => void;
  /** Ends the import after the part that is being stored; the next one continues. */
  readonly signal?: Pick<AbortSignal, 'aborted'>;
}

/** What is stored in one transaction at most. */
const part = { statements: 1000, bytes: 4 * 1024 * 1024 };
/** Milliseconds between two notes of how far the import has come; what is stored behind the last one is found to be there. */
const saveEvery = 1000;

/**
 * Stores what the source has in the target, in its order. It continues where an earlier call has ended, however that was: what is
 * stored already is not stored again, because statements have ids, documents have addresses, and so on.
 * @throws ConflictError when the progress belongs to another import, or statements would be placed where readers miss them.
 * @returns how far it has come.
 */
export function runImport(options: ImportOptions): Promise<Progress> {
  return new Import(options).run();
}

class Import {
  readonly #options: ImportOptions;
  readonly #counts = new Map<RecordKind, Record<OutcomeName, number>>();
  #before: Progress | undefined;
  #cursor: Cursor | undefined;
  #last: string | undefined;
  /** Whether this run may place statements; `hasPlaced` and `newest` of the progress stay those of earlier runs until then. */
  #mayPlace = false;
  /** Those of the runs that this one continues. */
  #notices: readonly string[] = [];
  #refusedBytes = 0;
  #sum = new RecordSum();
  #pending: Entry[] = [];
  #pendingBytes = 0;
  /** The part that is being stored while the next one is read. */
  #storing: Promise<void> = Promise.resolve();
  #saved = 0;
  #failure: { readonly reason: unknown } | undefined;
  /** Reactions come last: what is imported must not trigger them. */
  readonly #reactions: Entry[] = [];

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  async run(): Promise<Progress> {
    const { source, journal, signal } = this.#options;
    this.#before = await journal.load();
    await requireSameImport(this.#before, { ...this.#options, folder: journal.folder });
    const continues = continuesWithin(this.#before);
    await journal.begin(continues ? this.#before : undefined);
    this.#adopt(this.#before, continues);
    if (await source.hasStatements?.()) await this.#requirePlacement();
    for await (const entry of this.#entries()) {
      if (signal?.aborted) break;
      await this.#take({ ...entry, record: singleStatement(entry.record) });
    }
    await this.#flush();
    await this.#storing;
    if (this.#failure !== undefined) {
      if (this.#cursor !== undefined) await this.#save({ complete: false });
      throw this.#failure.reason;
    }
    const complete = !signal?.aborted;
    if (complete) {
      for (const entry of this.#reactions) await this.#storeOther(entry);
      await this.#options.target.finish();
    }
    return this.#save({ complete, ended: true });
  }

  /** What comes before the place where the source fails is imported, and the failure is thrown in the end. */
  async *#entries(): AsyncGenerator<Entry> {
    try {
      yield* this.#options.source.entries(this.#cursor);
    } catch (reason) {
      this.#failure = { reason };
    }
  }

  /** Before anything is stored where the source tells what it has, else before its first statement. */
  async #requirePlacement(): Promise<void> {
    const { target, merge = false } = this.#options;
    if (this.#mayPlace || !target.trusted) return;
    if (!merge) await requireNothingBehind(target, this.#before);
    this.#mayPlace = true;
    // Noted first: an import that ends in the middle of its first part continues, too.
    await this.#save({ complete: false });
  }

  /** A complete import that is run again counts anew: the source may have more now. So does one that reads everything again. */
  #adopt(before: Progress | undefined, continues: boolean): void {
    if (before === undefined) return;
    this.#last = before.last;
    if (!before.complete) this.#notices = before.notices ?? [];
    if (continues || this.#options.source.grows) this.#cursor = before.cursor;
    if (!continues) return;
    this.#refusedBytes = before.refusedBytes;
    this.#sum = new RecordSum(before.sum);
    for (const [kind, counts] of Object.entries(before.counts)) {
      this.#counts.set(kind as RecordKind, { ...counts });
    }
  }

  async #take(entry: Entry): Promise<void> {
    const { record } = entry;
    if (record.kind === 'statement') {
      this.#pending.push(entry);
      this.#pendingBytes += sizeOf(record);
      if (this.#pending.length < part.statements && this.#pendingBytes < part.bytes) return;
      await this.#flush();
    } else if (record.kind === 'reaction') {
      this.#reactions.push(entry);
    } else {
      await this.#flush();
      await this.#storing;
      await this.#storeOther(entry);
      this.#cursor = entry.cursor;
      // Another run finds the key pair as it is, and cannot tell that it was another one.
      if (record.kind === 'keyPair') await this.#save({ complete: false });
      else await this.#saveSometimes();
    }
  }

  /** Stores the statements that were read, once those before them are stored. */
  async #flush(): Promise<void> {
    const entries = this.#pending;
    if (entries.length === 0) return;
    await this.#requirePlacement();
    this.#pending = [];
    this.#pendingBytes = 0;
    const records = entries.flatMap(({ record, place }) =>
      record.kind === 'statement' ? withId(record, `${this.#options.source.identity} ${place}`) : [],
    );
    // While those before them are stored.
    const store = await this.#options.target.prepareStatements(records);
    await this.#storing;
    this.#storing = this.#storeStatements(entries, records, store);
    // Whoever awaits it later sees the failure.
    this.#storing.catch(() => {});
  }

  async #storeStatements(
    entries: readonly Entry[],
    records: readonly StatementRecord[],
    store: () => Promise<Outcome[]>,
  ): Promise<void> {
    const outcomes = await store();
    for (const { record } of entries) this.#sum.add(record);
    const refused: RefusedLine[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const place = entries[index]?.place ?? '';
      const record = records[index];
      this.#count('statement', outcome);
      if (typeof outcome === 'object' && record !== undefined)
        refused.push({ kind: 'statement', place, id: idOf(record.json), ...outcome });
    }
    const last = records.findLast((_, index) => typeof outcomes[index] === 'string');
    this.#last = (last && idOf(last.json))?.toLowerCase() ?? this.#last;
    await this.#note(refused);
    this.#cursor = entries.at(-1)?.cursor;
    await this.#saveSometimes();
    this.#options.onProgress?.(this.#countsSoFar());
  }

  async #storeOther({ record, place }: Entry): Promise<void> {
    if (record.kind === 'statement') return;
    const outcome = await storeOther(this.#options.target, record);
    this.#sum.add(record);
    this.#count(record.kind, outcome);
    if (typeof outcome === 'object') await this.#note([{ kind: record.kind, place, ...outcome }]);
  }

  #count(kind: RecordKind, outcome: Outcome): void {
    const counts = this.#counts.get(kind) ?? { stored: 0, present: 0, refused: 0 };
    counts[typeof outcome === 'object' ? 'refused' : outcome] += 1;
    this.#counts.set(kind, counts);
  }

  async #note(refused: readonly RefusedLine[]): Promise<void> {
    if (refused.length > 0) this.#refusedBytes = await this.#options.journal.addRefused(refused);
  }

  async #saveSometimes(): Promise<void> {
    if (performance.now() - this.#saved < saveEvery) return;
    await this.#save({ complete: false });
    this.#saved = performance.now();
  }

  async #save({ complete, ended = false }: { complete: boolean; ended?: boolean }): Promise<Progress> {
    const { source, target, journal } = this.#options;
    const newest = await this.#newest(ended);
    const notices = [...this.#notices, ...(target.notice?.()?.split('\n') ?? [])];
    const progress: Progress = {
      source: source.name,
      target: target.name,
      store: target.id,
      trusted: target.trusted,
      ...(this.#last !== undefined && { last: this.#last }),
      hasPlaced: this.#mayPlace || this.#before?.hasPlaced === true,
      ...(newest !== undefined && { newest }),
      ...(this.#cursor !== undefined && { cursor: this.#cursor }),
      complete,
      counts: this.#countsSoFar(),
      ...(notices.length > 0 && { notices }),
      sum: this.#sum.text,
      refusedBytes: this.#refusedBytes,
    };
    // What is not stored must not be left out by an import that is none.
    if (!target.dry) await journal.save(progress);
    return progress;
  }

  async #newest(ended: boolean): Promise<Position | undefined> {
    if (!this.#mayPlace) return this.#before?.newest;
    return ended ? (await this.#options.target.positions()).newest : undefined;
  }

  #countsSoFar(): Progress['counts'] {
    return Object.fromEntries([...this.#counts].map(([kind, counts]) => [kind, { ...counts }]));
  }
}

/** Whether something of the source is not read again, because it is done. */
function continuesWithin(before: Progress | undefined): boolean {
  return before !== undefined && !before.complete && Boolean(before.cursor);
}

function storeOther(target: Target, record: Exclude<TransferRecord, StatementRecord>): Promise<Outcome> {
  switch (record.kind) {
    case 'document':
      return target.storeDocument(record);
    case 'account':
      return target.storeAccount(record);
    case 'keyPair':
      return target.storeKeyPair(record);
    case 'reaction':
      return target.storeReaction(record);
    case 'unreadable':
      return Promise.resolve({ refused: record.reason });
  }
}
