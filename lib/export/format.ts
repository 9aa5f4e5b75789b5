/**
 * The lines of an export, each one JSON object (docs/migrating.md): `export` first and `end` last, so that a file that was cut
 * off is noticed. All other members stand for records.
 */
import type { ContentLine } from './content-parts.ts';

export const formatName = 'serverless-lrs export';
export const formatVersion = 1;

export interface ExportHead {
  readonly format: string;
  readonly version: number;
  /** ISO 8601 in UTC. */
  readonly made: string;
  /** How many there are when the export begins. */
  readonly statements: number;
  /** Whether hashes of passwords and secret keys are included. */
  readonly secrets: boolean;
}

/** A line of the file. Times are ISO 8601 in UTC, contents are base64. */
export type ExportLine =
  | { readonly export: ExportHead }
  | { readonly account: ExportedAccount }
  | { readonly keyPair: ExportedKeyPair }
  | { readonly document: ExportedDocumentLine }
  | { readonly content: ContentLine }
  | { readonly statement: object; readonly voided?: true; readonly contents?: readonly CarriedLine[] }
  | { readonly reaction: ExportedReaction }
  | { readonly end: ExportCounts };

export interface ExportedAccount {
  readonly id: string;
  readonly username: string;
  readonly issuer?: string;
  readonly passwordHash?: string;
}

export interface ExportedKeyPair {
  readonly id: string;
  readonly account: string;
  readonly apiKey: string;
  readonly secretKey?: string;
  readonly label: string | null;
  readonly scopes: readonly string[];
}

export interface ExportedDocumentLine {
  readonly kind: string;
  readonly activityId?: string;
  readonly agent?: object;
  readonly registration?: string;
  readonly id: string;
  readonly contentType: string;
  readonly updated: string;
  readonly content: string;
}

export interface ExportedReaction {
  readonly title: string;
  readonly active: boolean;
  readonly ruleset: object;
}

/** A content that a statement carries; a `content` line before it has the bytes. */
export interface CarriedLine {
  readonly sha2: string;
  readonly contentType: string;
}

export type ExportCounts = Readonly<Record<ExportedKind, number>>;
export const exportedKinds = [
  'accounts',
  'keyPairs',
  'documents',
  'contents',
  'statements',
  'reactions',
] as const;
export type ExportedKind = (typeof exportedKinds)[number];
