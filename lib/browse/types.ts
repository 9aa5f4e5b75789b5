import type { DocumentKind } from '../documents/types.ts';

/** Which page of a list is asked for. */
export interface ListQuery {
  /** Most entries on a page. */
  readonly limit: number;
  /** Only entries that hold this text, ASCII letters in any case. */
  readonly search: string | undefined;
  /** Only entries behind the one with this key. */
  readonly after: string | undefined;
}

/** A page of the Agents or of the Activities. */
export interface CountedListQuery extends ListQuery {
  /** Only Agents that are Actors of statements, or only Activities that are Objects: those that the status counts. */
  readonly isCounted: boolean;
}

export interface DocumentListQuery extends ListQuery {
  readonly kind: DocumentKind | undefined;
  /** The Agent's identifier as `identifierOf` gives it. */
  readonly agent: string | undefined;
  readonly activity: string | undefined;
}

export interface ListPage<Entry> {
  readonly entries: readonly Entry[];
  /** Where the next page continues; undefined when there is none. */
  readonly next: string | undefined;
}

/** An Agent or identified Group. */
export interface KnownAgent {
  readonly identifier: string;
  /** Those that statements gave it, newest first. */
  readonly names: readonly string[];
  /** How many statements have it as their Actor; undefined when it is in none as such. */
  readonly statements: number | undefined;
}

export interface KnownActivity {
  readonly id: string;
  /** JSON text of the merged definition; undefined when no statement has defined it. */
  readonly definition: string | undefined;
  /** How many statements have it as their Object; undefined when it is in none as such. */
  readonly statements: number | undefined;
}

/** A document without its content. */
export interface KnownDocument {
  readonly kind: DocumentKind;
  readonly activity: string | null;
  /** The Agent's identifier. */
  readonly agent: string | null;
  readonly registration: string | null;
  /** `stateId` or `profileId`. */
  readonly id: string;
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  readonly etag: string;
  /** Microseconds since the epoch. */
  readonly updated: number;
}

/** What there is, page by page, for people who look around. */
export interface BrowseService {
  agents(query: CountedListQuery): Promise<ListPage<KnownAgent>>;
  activities(query: CountedListQuery): Promise<ListPage<KnownActivity>>;
  documents(query: DocumentListQuery): Promise<ListPage<KnownDocument>>;
}
