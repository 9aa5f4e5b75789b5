import { InvalidError } from '../errors.ts';
import type { MemberText } from '../json/checker.ts';
import { entityTagOf } from './entity-tag.ts';
import { type Members, MergedObject, noStoredObject, requireMergeable } from './merge.ts';
import type { DocumentLimits } from './types.ts';

/** A document is too large to be merged into while others wait for the write lock. */
export class LargeDocumentError extends Error {}

/** What a draft begins with. */
export interface DraftSource {
  readonly contentType: string;
  /** Missing where it is too large to be read under the write lock. */
  readonly content: Buffer | undefined;
  /** Of the content, if it is known. */
  readonly etag?: string;
}

/**
 * A document between the changes of one group: it is scanned before the first merge, printed after the last one, and its ETag
 * computed when somebody asks.
 */
export class DocumentDraft {
  readonly #membersOf: (content: Buffer) => Members;
  #contentType: string;
  #content: Buffer | undefined;
  #etag: string | undefined;
  #object: MergedObject | undefined;

  /** @param membersOf those of the content, in a map of their own. @throws InvalidError when it is no JSON object. */
  constructor({ contentType, content, etag }: DraftSource, membersOf: (content: Buffer) => Members) {
    this.#membersOf = membersOf;
    this.#contentType = contentType;
    this.#content = content;
    this.#etag = etag;
  }

  get contentType(): string {
    return this.#contentType;
  }

  get etag(): string {
    this.#etag ??= entityTagOf(this.content);
    return this.#etag;
  }

  /** @throws LargeDocumentError when it is not known here. */
  get content(): Buffer {
    this.#content ??= this.#object?.print();
    if (this.#content === undefined) throw new LargeDocumentError();
    return this.#content;
  }

  /**
   * Merges a posted object into the document (xAPI 1.0.3 Communication 2.2), which is left as it was when that fails.
   * @throws InvalidError when the document is no JSON object; TooLargeError; LargeDocumentError.
   */
  merge(contentType: string, posted: ReadonlyMap<string, MemberText>, limits: DocumentLimits): void {
    requireMergeable({ contentType: this.#contentType });
    this.#object ??= new MergedObject(this.#members());
    this.#object.merge(posted, limits);
    this.#contentType = contentType;
    this.#content = undefined;
    this.#etag = undefined;
  }

  #members(): Members {
    const { content } = this;
    try {
      return this.#membersOf(content);
    } catch (error) {
      throw error instanceof InvalidError ? noStoredObject(error) : error;
    }
  }
}
