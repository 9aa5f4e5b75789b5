import { findById, findByUsername, insertAccount } from '../../accounts/store.ts';
import type { ContentStore } from '../../attachments/types.ts';
import type { Credentials } from '../../credentials/service.ts';
import { findByApiKey } from '../../credentials/store.ts';
import type { Database } from '../../db/types.ts';
import type { DocumentContent, DocumentService } from '../../documents/types.ts';
import { NotFoundError } from '../../errors.ts';
import { selectByIds } from '../../export/reader.ts';
import { mapInTurns } from '../../in-turns.ts';
import type { StatementLimits } from '../../json/limits.ts';
import type { ReactionService } from '../../reactions/service-types.ts';
import { newestOf, type ReadingRow, readingSql } from '../../statements/newest-position.ts';
import type { StatementService } from '../../statements/types.ts';
import type { PreparedBatch, StatementImporter } from '../../statements/within.ts';
import type { Actor } from '../../xapi/types.ts';
import type {
  AccountRecord,
  DocumentRecord,
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

export interface DatabaseTargetOptions {
  readonly db: Database;
  readonly name: string;
  /** Identifies the store. */
  readonly id: string;
  readonly statements: Pick<StatementService, 'finishReferences'> & StatementImporter;
  readonly contents: Pick<ContentStore, 'place'>;
  readonly documents: Pick<DocumentService, 'restore' | 'get'>;
  readonly credentials: Pick<Credentials, 'restore'>;
  readonly reactions: Pick<ReactionService, 'create' | 'list'>;
  readonly limits: StatementLimits;
  /** Of statements that do not keep their own. */
  readonly authority: Actor;
  readonly trusted: boolean;
  readonly dry: boolean;
}

/** Stores records in the database of this LRS, by the services that servers use. */
export function createDatabaseTarget(options: DatabaseTargetOptions): Target {
  return new DatabaseTarget(options);
}

class DatabaseTarget implements Target {
  readonly #options: DatabaseTargetOptions;
  /** The ids of accounts here by those of the source, where another account with the name was there before. */
  readonly #accounts = new Map<string, string>();

  constructor(options: DatabaseTargetOptions) {
    this.#options = options;
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
    const stored = await db.write((session) => statements.storeWithin(session, batches), {
      readsFirst: true,
    });
    let next = 0;
    return prepared.map((each): Outcome => {
      if (!isReady(each)) return each;
      const outcome = stored[next++];
      if (!(outcome instanceof Map)) return refusalOf(outcome);
      return outcome.size > 0 ? 'stored' : 'present';
    });
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
    return prepared.map((each): Outcome => {
      if (!isReady(each)) return each;
      return each.statements.every(({ id }) => found.has(id)) ? 'present' : 'stored';
    });
  }

  async storeDocument({ address, document, updated }: DocumentRecord): Promise<Outcome> {
    if (this.#options.dry) return 'stored';
    try {
      await this.#options.documents.restore(address, document, updated);
      return 'stored';
    } catch (error) {
      return refusalOf(error);
    }
  }

  async storeAccount({ id, username, passwordHash, issuer }: AccountRecord): Promise<Outcome> {
    const { db, dry } = this.#options;
    const named = await db.read((session) => findByUsername(session, username));
    if (named !== undefined) {
      if (named.id !== id) this.#accounts.set(id, named.id);
      return 'present';
    }
    if (await db.read((session) => findById(session, id))) {
      return { refused: 'another account has its id' };
    }
    if (!dry) await db.write((session) => insertAccount(session, { id, username, passwordHash, issuer }));
    return 'stored';
  }

  async storeKeyPair({ kind: _, accountId, ...pair }: KeyPairRecord): Promise<Outcome> {
    const { db, dry, credentials } = this.#options;
    const owner = this.#accounts.get(accountId) ?? accountId;
    const known = await db.read((session) => findByApiKey(session, pair.apiKey));
    if (known?.id === pair.id) return 'present';
    if (known !== undefined) return { refused: 'another key pair has its API key' };
    if (dry) return 'stored';
    if ((await db.read((session) => findById(session, owner))) === undefined) {
      return { refused: 'the account that it belongs to is not there' };
    }
    const isStored = await credentials.restore({ ...pair, accountId: owner });
    return isStored ? 'stored' : { refused: 'another key pair has its id' };
  }

  async storeReaction({ title, ruleset, active }: ReactionRecord): Promise<Outcome> {
    const { dry, reactions } = this.#options;
    const known = (await reactions.list()).map((text): { readonly title: string } => JSON.parse(text));
    if (known.some((reaction) => reaction.title === title)) return 'present';
    if (dry) return 'stored';
    try {
      await reactions.create({ title, ruleset, active });
      return 'stored';
    } catch (error) {
      return refusalOf(error);
    }
  }

  async findStatements(ids: readonly string[]): Promise<ReadonlyMap<string, FoundStatement>> {
    const rows = await selectByIds(this.#options.db, ids);
    return new Map(rows.map(({ id, text, voided }) => [id, { text, voided: Number(voided) === 1 }]));
  }

  async findDocument({ address }: Pick<DocumentRecord, 'address'>): Promise<DocumentContent | undefined> {
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

/** The line of a statement in one line is what the place of its record says. */
function atColumn(refusal: Refusal, json: Buffer): Refusal {
  if (json.includes('\n')) return refusal;
  return { ...refusal, refused: refusal.refused.replace(' at line 1, column ', ' at column ') };
}

function isReady(each: PreparedBatch | Refusal): each is PreparedBatch {
  return 'statements' in each;
}
