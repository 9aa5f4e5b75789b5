import { UnavailableError } from '../errors.ts';
import { giveWay } from '../in-turns.ts';
import { applyEdit, type DocumentEdit } from './changes.ts';
import { DocumentDraft } from './draft.ts';
import { entityTagInSlices } from './entity-tag.ts';
import type { JsonContentScanner } from './json-content.ts';
import { type DocumentKey, documentKey } from './keys.ts';
import { isJson, type Members, membersOf } from './merge.ts';
import type { DocumentAddress, DocumentLimits, StoredDocument } from './types.ts';

/** How often merges are computed anew because others have changed the document meanwhile. */
const attempts = 10;

/** What tells whether a document is still the one that was read. */
export type ReadDocument = Pick<StoredDocument, 'contentType' | 'etag'>;

export interface LargeMergeOptions {
  readonly limits: DocumentLimits;
  readonly scanner: JsonContentScanner;
  readonly read: (key: DocumentKey) => Promise<StoredDocument | undefined>;
  /**
   * Puts a document in the place of the one that was read.
   * @returns false, and leaves it alone, when that is not there any more.
   */
  readonly replace: (
    address: DocumentAddress,
    read: ReadDocument | undefined,
    document: Omit<StoredDocument, 'updated'>,
  ) => Promise<boolean>;
}

interface Waiting {
  readonly prepare: () => Promise<DocumentEdit>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

interface Queue {
  readonly address: DocumentAddress;
  readonly waiting: Waiting[];
}

interface Merged {
  readonly read: ReadDocument | undefined;
  readonly outcomes: PromiseSettledResult<void>[];
  /** undefined when nothing is to be stored. */
  readonly document: Omit<StoredDocument, 'updated'> | undefined;
}

/**
 * Merges into large documents. Nobody waits for the write lock meanwhile: the document is read, changed with pauses, and put
 * in the place of the one that was read, if that is still there; else it is read again. Merges into one document that wait
 * are done together, and one document is worked on at a time, so that there is one in memory.
 */
export class LargeMerges {
  readonly #options: LargeMergeOptions;
  readonly #queues = new Map<DocumentKey, Queue>();
  #running = false;

  constructor(options: LargeMergeOptions) {
    this.#options = options;
  }

  /**
   * @param prepare called when it is the merge's turn, because what is known of a document takes several times its memory.
   * @throws what `prepare` and the edit throw, and UnavailableError when the document changes all the time.
   */
  submit(address: DocumentAddress, prepare: () => Promise<DocumentEdit>): Promise<void> {
    return new Promise((resolve, reject) => {
      const key = documentKey(address);
      const queue = this.#queues.get(key) ?? { address, waiting: [] };
      queue.waiting.push({ prepare, resolve, reject });
      this.#queues.set(key, queue);
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (const [key, queue] of this.#queues) {
      this.#queues.delete(key);
      try {
        const outcomes = await this.#mergeAll(key, queue);
        queue.waiting.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index];
          if (outcome?.status === 'fulfilled') resolve();
          else reject(outcome?.reason);
        });
      } catch (error) {
        for (const { reject } of queue.waiting) reject(error);
      }
    }
    this.#running = false;
  }

  async #mergeAll(key: DocumentKey, { address, waiting }: Queue): Promise<PromiseSettledResult<void>[]> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { read, document, outcomes } = await this.#merged(key, waiting);
      if (document === undefined || (await this.#options.replace(address, read, document))) return outcomes;
    }
    throw new UnavailableError(
      'Others change the document all the time, so nothing could be merged into it; try again in a moment.',
    );
  }

  /** Nothing else of the documents is in memory while the result is written. */
  async #merged(key: DocumentKey, waiting: readonly Waiting[]): Promise<Merged> {
    const stored = await this.#options.read(key);
    const read = stored && { contentType: stored.contentType, etag: stored.etag };
    let draft = stored && (await this.#draftOf(stored));
    let changed = false;
    const outcomes: PromiseSettledResult<void>[] = [];
    for (const { prepare } of waiting) {
      try {
        draft = applyEdit(await prepare(), draft);
        changed = true;
        outcomes.push({ status: 'fulfilled', value: undefined });
      } catch (reason) {
        outcomes.push({ status: 'rejected', reason });
      }
      await giveWay();
    }
    if (!changed || draft === undefined) return { read, outcomes, document: undefined };
    const { contentType, content } = draft;
    await giveWay();
    return { read, outcomes, document: { contentType, content, etag: await entityTagInSlices(content) } };
  }

  /** What scanning the document finds out is kept for the first merge that asks. */
  async #draftOf(stored: StoredDocument): Promise<DocumentDraft> {
    const { limits, scanner } = this.#options;
    let result = (): Members => new Map();
    if (isJson(stored)) {
      try {
        const members = membersOf(await scanner.scan(stored.content, limits.maxMembers), limits);
        result = () => members;
      } catch (error) {
        result = () => {
          throw error;
        };
      }
    }
    return new DocumentDraft(stored, result);
  }
}
