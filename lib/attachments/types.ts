import type { Client } from '../client-turns.ts';
import type { ReadSession } from '../db/types.ts';
import type { Position } from '../position.ts';
import type { Actor } from '../xapi/types.ts';

/** The bytes of an attachment, as they come with a statement. */
export interface AttachmentContent {
  /** Lower-case hex SHA-2 hash of `content`, as the statement names it. */
  readonly sha2: string;
  readonly contentType: string;
  /** Empty where it lies in an object. */
  readonly content: Buffer;
  /** Where it lies in place of the database, and whether it came with its statement rather than as an upload. */
  readonly object?:
    | { readonly objectId: string; readonly length: number; readonly sentAlong?: boolean }
    | undefined;
}

/** What one key pair may put into the bucket. */
export interface AttachmentLimits {
  /** Bytes. */
  readonly attachmentMaxBytes: number;
  readonly attachmentMaxUploads: number;
  /** Seconds that an address may be used. */
  readonly attachmentUrlSeconds: number;
}

/** A content as it is announced before it is uploaded. */
export interface Announced {
  /** Lower-case hex SHA-256 hash. */
  readonly sha2: string;
  /** Bytes. */
  readonly length: number;
  readonly contentType: string;
}

/** How to upload it: a PUT to the address with exactly these headers. */
export interface UploadAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** A content that lies in the bucket. */
export interface UploadedContent extends Announced {
  /** Names its object; no two uploads share one. */
  readonly objectId: string;
}

/** What a client may download: an address of the bucket, or the bytes that lie in the database. */
export type Download = { readonly url: string } | { readonly content: Buffer; readonly contentType: string };

/** Where large contents lie: in objects, each under an id of its own. */
export interface ObjectStore {
  uploadAddress(objectId: string, announced: Announced, seconds: number): Promise<UploadAddress>;
  /** @throws UnavailableError while all requests fail at once, because the last one had no answer. */
  requireAnswers(): void;
  /** What has been uploaded; undefined: nothing yet. @throws UnavailableError */
  uploaded(objectId: string): Promise<{ readonly sha2: string; readonly length: number } | undefined>;
  /** @throws UnavailableError */
  put(objectId: string, object: Pick<AttachmentContent, 'contentType' | 'content'>): Promise<void>;
  /**
   * @param expected what was stored, with its lower-case hash.
   * @throws UnavailableError; Error when the bucket has other bytes.
   */
  read(objectId: string, expected: { readonly sha2: string; readonly length: number }): Promise<Buffer>;
  downloadAddress(objectId: string, contentType: string, seconds: number): Promise<string>;
  /** Removes it, whether it is there or not. @throws UnavailableError */
  remove(objectId: string): Promise<void>;
}

/** A content that a statement carries. */
export interface CarriedContent {
  /** Of the statement. */
  readonly position: Position;
  readonly sha2: string;
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  /** undefined: it lies in the database. */
  readonly objectId: string | undefined;
  /** Whether it came with a statement, and so has to come with it again; otherwise it was uploaded. */
  readonly sentAlong: boolean;
}

/** Where the contents of attachments lie: in the database, or the large ones in a bucket. */
export interface ContentStore {
  /**
   * Waits for the memory of a request whose contents are to be stored elsewhere, before anything of it is read.
   * @param bytes how many the request has.
   * @param client whose request it is; clients wait in turns.
   * @returns what gives it back, to be called once; undefined where all contents lie in the database.
   * @throws UnavailableError, at once where no content can be stored now.
   */
  reserve(contents: readonly Buffer[], bytes: number, client?: Client): Promise<() => void> | undefined;
  /**
   * Stores what is not to lie in the database, before the transaction that refers to it. What nothing refers to in the end
   * is removed later.
   * @returns the contents as they are to be referred to.
   * @throws UnavailableError
   */
  place(contents: readonly AttachmentContent[]): Promise<readonly AttachmentContent[]>;
  /** The contents of statements, one for each statement that carries it. */
  carriedBy(session: ReadSession, positions: readonly Position[]): Promise<readonly CarriedContent[]>;
  /**
   * Their bytes, but for those that have been erased meanwhile.
   * @param contents each once.
   * @throws UnavailableError
   */
  read(contents: readonly CarriedContent[]): Promise<AttachmentContent[]>;
}

export interface FindOptions {
  /** Only of statements with this authority. */
  readonly authority?: Actor | undefined;
  /** Told the length of a content in the database before it is read. */
  readonly reserve?: ((bytes: number) => void) | undefined;
}

/** Attachments that clients upload into a bucket, and those that they download. */
export interface AttachmentService {
  /**
   * Begins an upload of the holder of these credentials, or goes on with the same one.
   * @throws TooLargeError, ConflictError when there are too many.
   */
  announce(owner: Actor, announced: Announced): Promise<UploadAddress>;
  /**
   * Those of the contents, named by lower-case hashes, that this holder has uploaded completely; one for each description
   * under which it was announced.
   * @param client who asks; clients wait in turns.
   * @throws UnavailableError when the bucket does not answer.
   */
  arrived(
    owner: Actor,
    hashes: readonly string[],
    client?: Client,
  ): Promise<ReadonlyMap<string, readonly UploadedContent[]>>;
  /**
   * A content that a statement carries, voided or not.
   * @throws NotFoundError, and what `reserve` throws.
   */
  find(sha2: string, options: FindOptions): Promise<Download>;
  /**
   * Removes objects that no statement carries: of erased statements, and of uploads that no statement has referred to.
   * @param deadline milliseconds since the epoch.
   * @returns whether nothing is left to do now.
   */
  removeUnused(deadline: number): Promise<boolean>;
}
