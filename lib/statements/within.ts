import type { AttachmentContent } from '../attachments/types.ts';
import type { WriteSession } from '../db/types.ts';
import type { ConflictError } from '../errors.ts';
import type { PreparedStatement } from './ingest/prepare.ts';
import type { Delivery, Position, StatementBatch } from './types.ts';

export { mostInherited } from './commit/reference-graph.ts';

/** A batch that is ready to be stored by `storeWithin`, and stays so if that is rolled back. */
export interface PreparedBatch {
  readonly statements: readonly PreparedStatement[];
  readonly contents: readonly AttachmentContent[];
}

/** What became of a batch that a transaction stores: the positions of its new statements by their ids in lower case, or why none of it is stored. */
export type StoredWithin = ReadonlyMap<string, Position> | ConflictError;

/** How large a stored statement is. */
export interface StoredSize {
  /** The length of its text. */
  readonly bytes: number;
  /**
   * How many entries it has in the search index, as far as that is known without its text: none if it is voided. Of one whose Object
   * is a StatementRef they are counted, with those that it may yet inherit.
   */
  readonly indexEntries: number | undefined;
}

/** Stores statements that the LRS makes itself. */
export interface StatementMaker {
  /** Makes a batch ready to be stored within a transaction; it is valid, and small enough to be written at once. */
  prepare(batch: StatementBatch): Promise<PreparedBatch>;
  /** The sizes of stored statements, by their ids in lower case; those that are not stored are left out. */
  sizesOf(ids: readonly string[]): Promise<ReadonlyMap<string, StoredSize>>;
  /**
   * The texts of stored statements, by their ids in lower case; those that are not stored are left out.
   * @param bytes how many they have together, as `sizesOf` tells: many are read by one call of the process at a time.
   */
  textsOf(ids: readonly string[], bytes: number): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores batches in a transaction of the caller, in which nothing else stores statements; one that conflicts with what is
   * stored is left out, and does not touch the others.
   */
  storeWithin(session: WriteSession, batches: readonly PreparedBatch[]): Promise<StoredWithin[]>;
}

/** Stores statements that come from another store. */
export interface StatementImporter extends StatementMaker {
  /** Reads statements as `receive` does, and makes them ready to be stored within a transaction. @throws InvalidError, TooLargeError. */
  prepareDelivery(delivery: Delivery): Promise<PreparedBatch>;
  /**
   * Adds the contents of attachments that stored statements lack, after `storeWithin` has found the statements equal.
   * @returns for each batch whether anything was added.
   */
  addContentsWithin(session: WriteSession, batches: readonly PreparedBatch[]): Promise<boolean[]>;
}
