import type { DocumentAddress, DocumentContent } from '../documents/types.ts';
import type { JsonObject } from '../json/types.ts';
import type { Position } from '../statements/types.ts';
import type { Scope } from '../xapi/scopes.ts';
import type { AttachmentPart } from '../xapi/statement/attachments.ts';

/** What a store gives to another one, or an export to a store. */
export type TransferRecord =
  | StatementRecord
  | DocumentRecord
  | AccountRecord
  | KeyPairRecord
  | ReactionRecord
  | Unreadable;

export type RecordKind = TransferRecord['kind'];

export interface StatementRecord {
  readonly kind: 'statement';
  /** The JSON text of the statement. */
  readonly json: Buffer;
  /** The contents of its attachments that the source has. */
  readonly parts: readonly AttachmentPart[];
  /** Hashes of the contents that it carries as the source says, whether these are among `parts` or lost. */
  readonly carries?: readonly string[];
  /** Whether it is voided, where the source says so. */
  readonly voided?: boolean | undefined;
}

export interface DocumentRecord {
  readonly kind: 'document';
  readonly address: DocumentAddress;
  readonly document: DocumentContent;
  /** Microseconds since the epoch. */
  readonly updated: number;
}

export interface AccountRecord {
  readonly kind: 'account';
  readonly id: string;
  readonly username: string;
  /** undefined: the account has no password, or the source does not tell it. */
  readonly passwordHash: string | undefined;
  readonly issuer: string | null;
}

export interface KeyPairRecord {
  readonly kind: 'keyPair';
  readonly id: string;
  readonly accountId: string;
  /** The name of the account, which may have another id here; undefined where the source has no such account. */
  readonly username: string | undefined;
  readonly apiKey: string;
  /** undefined: the source does not tell it. */
  readonly secretKey: string | undefined;
  readonly label: string | null;
  readonly scopes: readonly Scope[];
  /** Scopes of the source that do not exist here, so the key pair is stored without them; undefined where there are none. */
  readonly unknownScopes?: readonly string[] | undefined;
}

export interface ReactionRecord {
  readonly kind: 'reaction';
  readonly title: string;
  readonly ruleset: JsonObject;
  readonly active: boolean;
}

/** What belongs to the administration. */
export type AdministrationRecord = AccountRecord | KeyPairRecord | ReactionRecord;

/** A place of the source that holds no record, or one that has no equivalent here. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
}

/** Where a source continues: JSON that only the source understands. */
export type Cursor = string | number;

/** A record and its place. */
export interface Entry {
  readonly record: TransferRecord;
  /** How the source calls the place, for people: `line 12`, `xapi_statement 0187…`. */
  readonly place: string;
  /** Continues behind this record. */
  readonly cursor: Cursor;
}

/** What records are read from. */
export interface Source {
  /** For people; without secrets. */
  readonly name: string;
  /**
   * What ids of statements without one are made of, beside their text and place: the same for a source that was moved, another
   * one for others that may have the same text at the same place.
   */
  readonly identity: string;
  /** How many statements there are, where that is known at once. */
  count?(): Promise<number | undefined>;
  /** Whether it has statements, where other records may come before them. */
  hasStatements?(): Promise<boolean>;
  /** Whether it may have more later, which an import that is run again continues with. */
  readonly grows?: boolean;
  /** What people should know of what was read so far. */
  notice?(): string | undefined;
  /** All records behind the cursor, or from the beginning, in the order in which they are to be stored. */
  entries(after?: Cursor): AsyncIterable<Entry>;
  /** Removes what reading keeps in the folder of the import, once all is imported and compared. */
  finish?(): Promise<void>;
  /** Ends reading soon, where it may wait for another program. */
  interrupt?(): void;
  close(): Promise<void>;
}

/** Why a record was not stored. */
export interface Refusal {
  readonly refused: string;
  /** The part of the specification that was broken, where that is the reason. */
  readonly rule?: string | undefined;
}

/** What became of a record: it is stored, it was there already, or it is refused. */
export type Outcome = 'stored' | 'present' | Refusal;

/** What a statement of the target is like. */
export interface FoundStatement {
  /** Its JSON text, as `format=exact` gives it. */
  readonly text: string;
  readonly voided: boolean;
}

/** A document of the target. */
export interface FoundDocument extends DocumentContent {
  /** Microseconds since the epoch; undefined where the target does not tell it. */
  readonly updated?: number;
}

/** The lengths in bytes of the contents that a statement carries, by their hashes in lower case. */
export type FoundContents = ReadonlyMap<string, number>;

/** Where records are stored. */
export interface Target {
  /** For people; without secrets. */
  readonly name: string;
  /** Identifies the store; a database that is created anew at the same place has another one. */
  readonly id: string;
  /** Whether nothing is stored. */
  readonly dry: boolean;
  /** Whether statements keep `stored` and `authority`. */
  readonly trusted: boolean;
  /**
   * Checks statements, as far as that is possible without storing them; others may be stored meanwhile.
   * @returns what stores each of them or refuses it: those that are refused keep none of the others out.
   */
  prepareStatements(records: readonly StatementRecord[]): Promise<() => Promise<Outcome[]>>;
  storeDocument(record: DocumentRecord): Promise<Outcome>;
  storeAccount(record: AccountRecord): Promise<Outcome>;
  storeKeyPair(record: KeyPairRecord): Promise<Outcome>;
  storeReaction(record: ReactionRecord): Promise<Outcome>;
  /** What is not the same here, as words for people, without values; undefined: it is not there. */
  differencesOf(record: AdministrationRecord): Promise<readonly string[] | undefined>;
  /** Statements by their ids in lower case; those that are not there are left out. */
  findStatements(ids: readonly string[]): Promise<ReadonlyMap<string, FoundStatement>>;
  /** The contents of the attachments of statements, by the ids of these in lower case. */
  findContents(ids: readonly string[]): Promise<ReadonlyMap<string, FoundContents>>;
  /** undefined: there is none. */
  findDocument(record: Pick<DocumentRecord, 'address'>): Promise<FoundDocument | undefined>;
  /** The newest positions of a statement, and of anything that a reader may have been told of; 0 where there is none. */
  positions(): Promise<{ readonly statement: Position; readonly newest: Position }>;
  /** Completes what stored statements leave to be done. */
  finish(): Promise<void>;
  /** What people should know about what was changed here, in lines. */
  notice?(): string | undefined;
}
