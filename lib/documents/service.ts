import type { Database, ReadSession } from '../db/types.ts';
import { NotFoundError } from '../errors.ts';
import { giveWay } from '../in-turns.ts';
import type { DocumentEdit } from './changes.ts';
import { DocumentDraft, LargeDocumentError } from './draft.ts';
import { entityTagInSlices, entityTagOf, requireConditions } from './entity-tag.ts';
import { JsonContentScanner, scanAtOnce } from './json-content.ts';
import { documentKey } from './keys.ts';
import { LargeMerges, type ReadDocument } from './large-merges.ts';
import { latestOf, listOf, readLongList, readUsualList, textOf } from './list.ts';
import { isJson, type Members, membersOf, refuseMergeOf, requireSize } from './merge.ts';
import { isBlind, requirePermittedPut, requirePuttable } from './put.ts';
import { deleteSome, findDocument } from './store.ts';
import {
  type DocumentAddress,
  type DocumentCollection,
  type DocumentContent,
  type DocumentLimits,
  type DocumentService,
  defaultLimits,
  type StoredDocument,
  type WriteTerms,
} from './types.ts';
import { DocumentWriter, smallBytes } from './writer.ts';

export interface DocumentServiceOptions {
  /** Microseconds since the epoch. */
  readonly now?: () => number;
  readonly limits?: DocumentLimits;
}

/** The document resources over a database. One per database and process, because it groups the writes it gets. */
export function createDocumentService(db: Database, options: DocumentServiceOptions = {}): DocumentService {
  return new DatabaseDocuments(db, options);
}

class DatabaseDocuments implements DocumentService {
  readonly #db: Database;
  readonly #limits: DocumentLimits;
  readonly #scanner = new JsonContentScanner();
  readonly #writer: DocumentWriter;
  readonly #largeMerges: LargeMerges;

  constructor(
    db: Database,
    { limits = defaultLimits, now = () => Date.now() * 1000 }: DocumentServiceOptions,
  ) {
    this.#db = db;
    this.#limits = limits;
    this.#writer = new DocumentWriter(db, { now, membersOf: (content) => this.#membersOfSmall(content) });
    this.#largeMerges = new LargeMerges({
      limits,
      scanner: this.#scanner,
      read: (key) => findDocument(db, key),
      replace: (address, read, document) => this.#replace(address, read, document),
    });
  }

  async get(address: DocumentAddress, reserve?: (bytes: number) => void): Promise<StoredDocument> {
    const document = await findDocument(this.#db, documentKey(address), reserve);
    if (document === undefined) throw new NotFoundError('There is no such document.');
    return document;
  }

  async list(collection: DocumentCollection, since = 0, reserve?: (bytes: number) => void) {
    const part = { collection, since };
    const usual = await this.#db.read((session) => readUsualList(session, part, this.#limits));
    if (usual !== undefined) return listOf(usual);
    const long = (session: ReadSession) => readLongList(session, part, this.#limits, reserve);
    const documents = await this.#db.read(long, { large: true });
    // Of long lists that are read at the same time, each is sorted in a turn of its own.
    await giveWay();
    return listOf(documents);
  }

  async put(address: DocumentAddress, document: DocumentContent, terms: WriteTerms): Promise<void> {
    requireSize(document.content.length, this.#limits);
    await requirePuttable(address, document, { ...terms, scanner: this.#scanner });
    const newDraft = await this.#draftsOf(document, (content) => this.#membersOfSmall(content));
    await this.#writer.write({
      address,
      conditions: terms.conditions,
      blind: isBlind(address.kind, terms),
      size: document.content.length,
      next(current) {
        requirePermittedPut(address.kind, current, terms);
        return newDraft();
      },
    });
  }

  async restore(address: DocumentAddress, document: DocumentContent, updated: number): Promise<void> {
    requireSize(document.content.length, this.#limits);
    const next = await this.#draftsOf(document, (content) => this.#membersOfSmall(content));
    return this.#writer.write({ address, conditions: {}, updated, size: document.content.length, next });
  }

  async merge(address: DocumentAddress, document: DocumentContent, terms: WriteTerms): Promise<void> {
    requireSize(document.content.length, this.#limits);
    const prepare = (): Promise<DocumentEdit> => this.#mergeOf(document, terms);
    if (document.content.length > smallBytes) return this.#largeMerges.submit(address, prepare);
    const edit = await prepare();
    try {
      await this.#writer.write({ address, ...edit, merges: true, size: document.content.length });
    } catch (error) {
      if (!(error instanceof LargeDocumentError)) throw error;
      await this.#largeMerges.submit(address, prepare);
    }
  }

  delete(address: DocumentAddress, conditions: WriteTerms['conditions']): Promise<void> {
    return this.#writer.write({ address, conditions, next: () => undefined });
  }

  async deleteAll(collection: DocumentCollection, conditions: WriteTerms['conditions']): Promise<void> {
    let until = Number.MAX_SAFE_INTEGER;
    const conditional = conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined;
    // A request that is refused makes its list without the write lock, which all writers would wait for.
    if (conditional) requireConditions(conditions, entityTagOf(textOf((await this.list(collection)).ids)));
    let more = await this.#db.write(async (session) => {
      if (conditional) {
        const part = { collection, since: 0 };
        const documents =
          (await readUsualList(session, part, this.#limits)) ??
          (await readLongList(session, part, this.#limits));
        requireConditions(conditions, entityTagOf(textOf(listOf(documents).ids)));
        until = latestOf(documents);
      }
      return deleteSome(session, collection, until);
    });
    while (more) more = await this.#db.write((session) => deleteSome(session, collection, until));
  }

  async #mergeOf(document: DocumentContent, { conditions }: WriteTerms): Promise<DocumentEdit> {
    const limits = this.#limits;
    const posted = isJson(document)
      ? membersOf(await this.#scanner.scan(document.content, limits.maxMembers), limits)
      : undefined;
    const newDraft = await this.#draftsOf(document, () => new Map(posted));
    return {
      conditions,
      next(current) {
        if (current === undefined) return newDraft();
        if (posted === undefined) return refuseMergeOf(document);
        current.merge(document.contentType, posted, limits);
        return current;
      },
    };
  }

  /** A new draft each time, because a transaction that is tried again must not begin with what it made of the first. */
  async #draftsOf(
    document: DocumentContent,
    members: (content: Buffer) => Members,
  ): Promise<() => DocumentDraft> {
    const source = { ...document, etag: await entityTagInSlices(document.content) };
    return () => new DocumentDraft(source, members);
  }

  #membersOfSmall(content: Buffer): Members {
    if (content.length > smallBytes) throw new LargeDocumentError();
    return membersOf(scanAtOnce(content, this.#limits.maxMembers), this.#limits);
  }

  /** @returns false when something else stands there than what was read. */
  async #replace(
    address: DocumentAddress,
    read: ReadDocument | undefined,
    document: Omit<StoredDocument, 'updated'>,
  ): Promise<boolean> {
    const unread = (): never => {
      throw new LargeDocumentError();
    };
    try {
      await this.#writer.write({
        address,
        conditions: {},
        size: document.content.length,
        next(current) {
          const isSame = current?.etag === read?.etag && current?.contentType === read?.contentType;
          if (isSame) return new DocumentDraft(document, unread);
          throw new ChangedMeanwhileError();
        },
      });
      return true;
    } catch (error) {
      if (error instanceof ChangedMeanwhileError) return false;
      throw error;
    }
  }
}

/** A document is not the one any more that was read. */
class ChangedMeanwhileError extends Error {}
