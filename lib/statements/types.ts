import type { AttachmentContent } from '../attachments/types.ts';
import type { Client } from '../client-turns.ts';
import type { StatementLimits } from '../json/limits.ts';
import type { ObjectText } from '../json/object-text.ts';
import type { Position } from '../position.ts';
import type { AttachmentPart, UploadedPart } from '../xapi/statement/attachments.ts';
import type { Actor, Statement, XapiVersion } from '../xapi/types.ts';

export type { Position };

export interface IncomingStatement {
  readonly statement: Statement;
  /** The same tree, but numbers whose text would not survive parsing are marked; `printJson` prints them as they came. */
  readonly source: Statement;
  /** Its text, where it came as JSON. */
  readonly text?: ObjectText | undefined;
}

/** One request's statements: stored together or not at all. */
export interface StatementBatch {
  /** To be iterated once; invalid statements are refused during iteration. */
  readonly statements: Iterable<IncomingStatement>;
  readonly attachments: readonly AttachmentContent[];
  /** The authority of the statements; replaces any `authority` that they carry. */
  readonly authority: Actor;
  readonly version: XapiVersion;
  /** Whether statements keep the `stored` and the `authority` that they carry: they come from a store that is trusted. */
  readonly trusted?: boolean | undefined;
}

/** The body of a PUT or POST of statements and who sends it. */
export interface Delivery {
  /** The statement or the array of statements. */
  readonly json: Uint8Array;
  /** The parameter `statementId` of a PUT, in lower case. */
  readonly statementId?: string;
  /** The further parts of a multipart body. */
  readonly parts: readonly AttachmentPart[];
  readonly authority: Actor;
  readonly version: XapiVersion;
  readonly limits: StatementLimits;
  /** Finds what the sender has uploaded beforehand, by lower-case hashes; undefined where nothing can be. */
  readonly uploaded?:
    | ((hashes: readonly string[]) => Promise<ReadonlyMap<string, readonly UploadedPart[]>>)
    | undefined;
  /** As `StatementBatch` has it. */
  readonly trusted?: boolean | undefined;
  /** Called with each valid statement, before any is stored. */
  readonly onValid?: (statement: Statement) => void;
  /** Who sends it; bodies are read in turns. */
  readonly client?: Client | undefined;
  /** Makes sure that the sender may still store statements, after a long wait. @throws UnauthenticatedError, ForbiddenError */
  readonly authenticateAgain?: (() => Promise<void>) | undefined;
}

export type StatementFormat = 'exact' | 'ids' | 'canonical';

/** What a transaction has stored. */
export interface CommittedStatements {
  /** The newest position before it, of a statement or of an event of the feed; 0 when there is none. */
  readonly after: Position;
  /** The position of the first statement; the others follow without gaps. One at least. */
  readonly first: Position;
  readonly statements: readonly CommittedStatement[];
}

export interface CommittedStatement {
  /** In lower case. */
  readonly id: string;
  /** How many bytes its text has. */
  readonly text: { readonly length: number };
  readonly values: StatementValues;
}

/** The values in columns beside the text, for people who query with SQL. */
export interface StatementValues {
  readonly verb: string;
  /** The identifier of the actor; null for an anonymous Group. */
  readonly actor: string | null;
  /** The id of an Activity or a statement, the identifier of an Agent or Group. */
  readonly object: string | null;
  readonly registration: string | null;
}

/** The format of statements: `languages` are the ranges of `Accept-Language`, best first (used by `canonical`). */
export interface Presentation {
  readonly format: StatementFormat;
  readonly attachments: boolean;
  readonly languages: readonly string[];
  /** Whether statements of xAPI 2.0 are to look like those of 1.0.3. */
  readonly asVersion1?: boolean;
  /** Called with the length of a large page before it is built; an error that it throws ends the query. */
  readonly reserve?: ((bytes: number) => void) | undefined;
  /** Who asks; pages are read in turns. */
  readonly client?: Client | undefined;
}

/** The filters of a query, those of xAPI 1.0.3 Communication 2.1.3 and our own; each is already checked. */
export interface StatementQuery {
  readonly agent?: Actor;
  readonly verb?: string;
  readonly activity?: string;
  readonly registration?: string;
  readonly relatedAgents: boolean;
  readonly relatedActivities: boolean;
  /** Strictly after this position. */
  readonly since?: Position;
  /** At or before this position. */
  readonly until?: Position;
  readonly ascending: boolean;
  /** Page size, at least 1. */
  readonly limit: number;
  /** The cursor: continue after this position, in the order of the query. */
  readonly from?: Position;
  /** Only statements with this authority (`statements/read/mine`). */
  readonly authority?: Actor;
}

export interface StoredStatement {
  readonly position: Position;
  /** The JSON text of the statement in the requested format. */
  readonly text: string;
}

export interface StatementPage {
  readonly statements: readonly StoredStatement[];
  /** The cursor of the next page; absent on the last page. */
  readonly next?: Position;
  readonly attachments: readonly AttachmentContent[];
}

/**
 * Texts that the database has joined to the bytes of a StatementResult without a next page. The last one that belongs to the
 * page ends at `end`; what follows may be overwritten.
 */
export interface JoinedTexts {
  readonly result: Buffer;
  readonly end: number;
}

/** A page in the format `exact`, without attachments. */
export interface ExactPage<Texts = string | JoinedTexts> {
  /** The stored texts, with a comma between two. */
  readonly texts: Texts;
  /** How many statements it has. */
  readonly count: number;
  /** The newest position of the page; undefined when it is empty. */
  readonly newest: Position | undefined;
  /** Where the next page starts; undefined on the last page. */
  readonly next: Position | undefined;
}

/** A page of which only the size is known. */
export interface MeasuredPage {
  readonly rows: number;
  /** Of the JSON texts as they are stored. */
  readonly bytes: number;
  /** Where the next page begins; absent when there is none. */
  readonly next?: Position;
}

/** The service of the statement resource. */
export interface StatementService {
  /**
   * Reads the statements of a request as soon as there is memory for them, and stores all of them or none.
   * @returns the ids in order.
   * @throws InvalidError, TooLargeError, ConflictError, UnavailableError when too much is waiting already.
   */
  receive(delivery: Delivery): Promise<string[]>;
  /**
   * Stores a batch and resolves after the commit with the ids of all its statements, in order; statements that are
   * already stored and equal are not stored again.
   * @throws ConflictError when an id is taken by a statement that differs (xAPI 1.0.3 Communication 2.1.1); nothing is stored then.
   */
  store(batch: StatementBatch): Promise<string[]>;
  /** @throws NotFoundError when no such statement is visible under that kind of id. */
  get(
    by: { readonly id: string; readonly voided: boolean; readonly authority?: Actor },
    presentation: Presentation,
  ): Promise<StatementPage>;
  query(query: StatementQuery, presentation: Presentation): Promise<StatementPage>;
  /**
   * The same in the format `exact` without attachments, whose texts are joined.
   */
  queryExact(query: StatementQuery, terms?: Pick<Presentation, 'reserve' | 'client'>): Promise<ExactPage>;
  /** How many statements a query finds, and how large they are, at the cost of a page without texts. */
  measure(query: StatementQuery): Promise<MeasuredPage>;
  /** A position such that no statement at or before it becomes visible later. */
  consistentThrough(): Position | Promise<Position>;
  /** The latest such position that this process knows without asking the database; 0 when it has not asked yet. */
  knownConsistentThrough(): Position;
  /** Completes the propagation of references that a process has left unfinished. */
  finishReferences(): Promise<void>;
  /** Ends that work, which the next process continues; call it before the database is closed. */
  stop(): Promise<void>;
}
