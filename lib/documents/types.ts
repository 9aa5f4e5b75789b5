import type { ScopedResource } from '../xapi/scopes.ts';
import type { XapiVersion } from '../xapi/types.ts';

/** The document resources (xAPI 1.0.3 Communication 2.2), each by its path. */
export type DocumentKind = Extract<
  ScopedResource,
  'activities/state' | 'agents/profile' | 'activities/profile'
>;

/** Whose documents: those of an Activity, of an Agent, or of both together. */
export interface DocumentCollection {
  readonly kind: DocumentKind;
  readonly activity: string | undefined;
  /** The Agent's identifier as `identifierOf` gives it. */
  readonly agent: string | undefined;
  /** Lower-case UUID. For many documents, undefined means any; for a single one, it means the one without. */
  readonly registration: string | undefined;
}

/** Where one document stands: `stateId` or `profileId` within its collection. */
export interface DocumentAddress extends DocumentCollection {
  readonly id: string;
}

/** What is refused because it would take too much time or memory. */
export interface DocumentLimits {
  /** Of a document, also of one that merges have made. */
  readonly maxBytes: number;
  /** Properties of a JSON document that is merged, or merged into. */
  readonly maxMembers: number;
  /** Ids in one list. */
  readonly maxIds: number;
  /** Bytes of the ids in one list: they are sorted and hashed in one go, in 20 to 40 ms per MB. */
  readonly maxIdBytes: number;
}

/** The least `maxIdBytes`: a list that has no more need not be measured. */
export const leastIdBytes = 256_000;

export const defaultLimits: DocumentLimits = {
  maxBytes: 10_485_760,
  maxMembers: 25_000,
  maxIds: 20_000,
  maxIdBytes: 2_097_152,
};

export interface DocumentContent {
  readonly contentType: string;
  readonly content: Buffer;
}

export interface StoredDocument extends DocumentContent {
  /** SHA-1 of the content as lower-case hex (xAPI 1.0.3 Communication 3.1). */
  readonly etag: string;
  /** Microseconds since the epoch. */
  readonly updated: number;
}

export interface DocumentList {
  /** Each once, in the order of their characters. */
  readonly ids: readonly string[];
  /** When the latest of them was updated; absent when there are none. */
  readonly updated?: number;
}

/** ETags without their quotes, or `*`: any. */
export type EntityTags = '*' | readonly string[];

/** What has to hold for a write to take place (RFC 9110 13.1). */
export interface Conditions {
  /** The document is there and has one of these ETags. */
  readonly ifMatch?: EntityTags;
  /** The document is not there or has none of these ETags. */
  readonly ifNoneMatch?: EntityTags;
}

/** Under which rules a document is written. */
export interface WriteTerms {
  readonly version: XapiVersion;
  readonly conditions: Conditions;
}

/** What the document resources ask of the store. Conditions are checked in the transaction that writes. */
export interface DocumentService {
  /**
   * @param reserve told the length of a large content before it is loaded; what it throws ends the call.
   * @throws NotFoundError
   */
  get(address: DocumentAddress, reserve?: (bytes: number) => void): Promise<StoredDocument>;
  /**
   * @param since only documents updated after this moment, in microseconds since the epoch.
   * @param reserve told how many bytes the ids of a long list have, before it is loaded; what it throws ends the call.
   * @throws InvalidError when there are more than the limits permit.
   */
  list(
    collection: DocumentCollection,
    since?: number,
    reserve?: (bytes: number) => void,
  ): Promise<DocumentList>;
  /**
   * Stores the document in place of any that is there.
   * @throws PreconditionFailedError when a condition does not hold; ConflictError or InvalidError when the rules of the
   *   version ask for a condition and there is none; InvalidError for JSON that is none; TooLargeError.
   */
  put(address: DocumentAddress, document: DocumentContent, terms: WriteTerms): Promise<void>;
  /**
   * Stores a document of another store, in place of one that was updated before it.
   * @param updated when it was updated there, in microseconds since the epoch.
   * @throws TooLargeError
   */
  restore(address: DocumentAddress, document: DocumentContent, updated: number): Promise<void>;
  /**
   * Merges a JSON object into the one that is there, property by property; where nothing is, stores the document.
   * @throws InvalidError when either of the two is no JSON object; PreconditionFailedError; TooLargeError, also when the
   *   result would break a limit.
   */
  merge(address: DocumentAddress, document: DocumentContent, terms: WriteTerms): Promise<void>;
  /** Deletes the document if it is there. @throws PreconditionFailedError */
  delete(address: DocumentAddress, conditions: Conditions): Promise<void>;
  /**
   * Deletes all documents of a collection, many of them in several transactions; of those that are stored meanwhile some may
   * be deleted too, but none when there are conditions.
   * @param conditions speak of the ETag of the list of their ids.
   * @throws PreconditionFailedError; with conditions also InvalidError when that list would be too long.
   */
  deleteAll(collection: DocumentCollection, conditions: Conditions): Promise<void>;
}
