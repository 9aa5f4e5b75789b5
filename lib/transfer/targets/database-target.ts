import type { ContentStore } from '../../attachments/types.ts';
import type { WriteSession } from '../../db/types.ts';
import type { DocumentService, StoredDocument } from '../../documents/types.ts';
import { NotFoundError } from '../../errors.ts';
import { selectByIds } from '../../export/reader.ts';
import { mapInTurns } from '../../in-turns.ts';
import type { StatementLimits } from '../../json/limits.ts';
import { newestOf, type ReadingRow, readingSql } from '../../statements/newest-position.ts';
import type { Position, StatementService } from '../../statements/types.ts';
import type { PreparedBatch, StatementImporter } from '../../statements/within.ts';
import type { Actor } from '../../xapi/types.ts';
import type {
  AccountRecord,
  AdministrationRecord,
  DocumentRecord,
  FoundContents,
  FoundStatement,
  KeyPairRecord,
  Outcome,
  ReactionRecord,
  Refusal,
  StatementRecord,
  Target,
} from '../records.ts';
import { refusalOf } from '../refusal.ts';
import { versionOf } from '../version.ts';
import { type AdministrationOptions, AdministrationTarget } from './administration-target.ts';
import { unstorableDocument } from './storable.ts';

export interface DatabaseTargetOptions extends AdministrationOptions {
  readonly name: string;
  /** Identifies the store. */
  readonly id: string;
  readonly statements: Pick<StatementService, 'finishReferences'> & StatementImporter;
  readonly contents: Pick<ContentStore, 'place' | 'carriedBy'>;
  readonly documents: Pick<DocumentService, 'restore' | 'get'>;
  readonly limits: StatementLimits;
  /** Of statements that do not keep their own. */
  readonly authority: Actor;
  readonly trusted: boolean;
}

/** Stores records in the database of this LRS, by the services that servers use. */
export function createDatabaseTarget(options: DatabaseTargetOptions): Target {
  return new DatabaseTarget(options);
}

class DatabaseTarget implements Target {
  readonly #options: DatabaseTargetOptions;
  readonly #administration: AdministrationTarget;

  constructor(options: DatabaseTargetOptions) {
    this.#options = options;
    this.#administration = new AdministrationTarget(options);
  }

  get name(): string {
    return this.#options.name;
  }

  get id(): string {
    return this.#options.id;
  }

  get dry(): boolean {
    return this.#options.dry;
  }

  get trusted(): boolean {
    return this.#options.trusted;
  }

  notice(): string | undefined {
    return this.#administration.notice();
  }

  async prepareStatements(records: readonly StatementRecord[]): Promise<() => Promise<Outcome[]>> {
    const prepared = await mapInTurns(records, (record) => this.#prepare(record));
    return () => (this.#options.dry ? this.#foresee(prepared) : this.#store(prepared));
  }

  async #store(prepared: readonly (PreparedBatch | Refusal)[]): Promise<Outcome[]> {
    const { db, statements, contents } = this.#options;
    const batches = await Promise.all(
      prepared.filter(isReady).map(async (batch) => ({
        ...batch,
        contents: await contents.place(batch.contents),
      })),
    );
    const outcomes = await db.write((session) => storeOrComplete(session, statements, batches), {
      readsFirst: true,
    });
    let next = 0;
    return prepared.map((each): Outcome => (isReady(each) ? (outcomes[next++] ?? 'present') : each));
  }

  async #prepare({ json, parts }: StatementRecord): Promise<PreparedBatch | Refusal> {
    const { statements, authority, limits, trusted } = this.#options;
    const version = versionOf(json);
    try {
      return await statements.prepareDelivery({ json, parts, authority, version, limits, trusted });
    } catch (error) {
      return atColumn(refusalOf(error), json);
    }
  }

  async #foresee(prepared: readonly (PreparedBatch | Refusal)[]): Promise<Outcome[]> {
    const ids = prepared.filter(isReady).flatMap(({ statements }) => statements.map(({ id }) => id));
    const found = await this.findStatements(ids);
    const carrying = prepared.filter(isReady).filter(({ contents }) => contents.length > 0);
    const contents = await this.findContents(
      carrying.flatMap(({ statements }) => statements.map(({ id }) => id)),
    );
    return prepared.map((each): Outcome => {
      if (!isReady(each)) return each;
      const isThere = each.statements.every(
        ({ id, contents: own }) => found.has(id) && own.every(({ sha2 }) => contents.get(id)?.has(sha2)),
      );
      return isThere ? 'present' : 'stored';
    });
  }

  async storeDocument({ address, document, updated }: DocumentRecord): Promise<Outcome> {
    const refusal = unstorableDocument(address, document);
    if (refusal !== undefined) return refusal;
    const here = await this.findDocument({ address });
    if (here !== undefined && here.updated >= updated) return 'present';
    if (this.#options.dry) return 'stored';
    try {
      await this.#options.documents.restore(address, document, updated);
      return 'stored';
    } catch (error) {
      return refusalOf(error);
    }
  }

  storeAccount(record: AccountRecord): Promise<Outcome> {
    return this.#administration.storeAccount(record);
  }

  storeKeyPair(record: KeyPairRecord): Promise<Outcome> {
    return this.#administration.storeKeyPair(record);
  }

  storeReaction(record: ReactionRecord): Promise<Outcome> {
    return this.#administration.storeReaction(record);
  }

  differencesOf(record: AdministrationRecord): Promise<readonly string[] | undefined> {
    return this.#administration.differencesOf(record);
  }

  async findStatements(ids: readonly string[]): Promise<ReadonlyMap<string, FoundStatement>> {
    const rows = await selectByIds(this.#options.db, ids);
    return new Map(rows.map(({ id, text, voided }) => [id, { text, voided: Number(voided) === 1 }]));
  }

  async findContents(ids: readonly string[]): Promise<ReadonlyMap<string, FoundContents>> {
    const { db, contents } = this.#options;
    if (ids.length === 0) return new Map();
    return db.read(async (session) => {
      const rows = await session.select<{ id: string; position: Position }>(
        'SELECT id, position FROM statement WHERE id IN (:ids)',
        { ids },
      );
      const carried = await contents.carriedBy(
        session,
        rows.map(({ position }) => Number(position)),
      );
      return new Map(
        rows.map(({ id, position }) => {
          const own = carried.filter((content) => content.position === Number(position));
          return [id, new Map(own.map(({ sha2, length }) => [sha2, length]))];
        }),
      );
    });
  }

  async findDocument({ address }: Pick<DocumentRecord, 'address'>): Promise<StoredDocument | undefined> {
    try {
      return await this.#options.documents.get(address);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  async positions() {
    const { db } = this.#options;
    const [row] = await db.read((session) => session.select<ReadingRow>(readingSql(session)));
    return { statement: Number(row?.newest ?? 0), newest: Number(newestOf(row)) };
  }

  finish(): Promise<void> {
    return this.#options.dry ? Promise.resolve() : this.#options.statements.finishReferences();
  }
}

/** A statement that is there gets the contents that it lacks, as after an import from a source that has none. */
async function storeOrComplete(
  session: WriteSession,
  statements: StatementImporter,
  batches: readonly PreparedBatch[],
): Promise<Outcome[]> {
  const stored = await statements.storeWithin(session, batches);
  const isPresent = (index: number): boolean => {
    const outcome = stored[index];
    return outcome instanceof Map && outcome.size === 0;
  };
  const added = await statements.addContentsWithin(
    session,
    batches.map((batch, index) => (isPresent(index) ? batch : { statements: [], contents: [] })),
  );
  return stored.map((outcome, index): Outcome => {
    if (!(outcome instanceof Map)) return refusalOf(outcome);
    return outcome.size > 0 || added[index] ? 'stored' : 'present';
  });
}

/** The line of a statement in one line is what the place of its record says. */
function atColumn(refusal: Refusal, json: Buffer): Refusal {
  if (json.includes('\n')) return refusal;
  return { ...refusal, refused: refusal.refused.replace(' at line 1, column ', ' at column ') };
}

function isReady(each: PreparedBatch | Refusal): each is PreparedBatch {
  return 'statements' in each;
}
