import type { DocumentDraft } from './draft.ts';
import { requireConditions } from './entity-tag.ts';
import type { DocumentKey } from './keys.ts';
import type { Conditions, DocumentAddress, StoredDocument } from './types.ts';

/** What one request makes of one document. */
export interface DocumentEdit {
  readonly conditions: Conditions;
  /**
   * What is to stand there after what is there now, which may be changed and returned; undefined stands for nothing. May
   * refuse by throwing, and leaves what is there as it was then.
   */
  readonly next: (current: DocumentDraft | undefined) => DocumentDraft | undefined;
}

/** One request that writes one document. */
export interface DocumentChange extends DocumentEdit {
  readonly key: DocumentKey;
  readonly address: DocumentAddress;
  /** Takes place whatever is stored, so nobody has to look. */
  readonly blind?: boolean;
  /** When the document was updated in the store that it comes from: one that was updated then or later stays as it is. */
  readonly updated?: number | undefined;
}

/** What is to be written at a key: a document, or undefined to remove the one that is there. */
export interface DocumentWrite {
  readonly address: DocumentAddress;
  readonly document: StoredDocument | undefined;
}

/** A document that is there, and when it was updated. */
export interface DraftedDocument {
  readonly draft: DocumentDraft;
  /** Microseconds since the epoch. */
  readonly updated: number;
}

export interface AppliedChanges {
  /** One for each change, in order. */
  readonly outcomes: readonly PromiseSettledResult<void>[];
  /** What differs from what was stored, each document only in its last state. */
  readonly writes: ReadonlyMap<DocumentKey, DocumentWrite>;
}

/**
 * Applies changes one after another, each to what those before it have left; one that is refused changes nothing and
 * hinders no other.
 * @param stored what is there; a key that only blind changes have may be missing.
 * @param now microseconds since the epoch.
 */
export function applyChanges(
  changes: readonly DocumentChange[],
  stored: ReadonlyMap<DocumentKey, DraftedDocument>,
  now: number,
): AppliedChanges {
  const drafts = new Map<DocumentKey, DocumentDraft | undefined>();
  for (const [key, { draft }] of stored) drafts.set(key, draft);
  const written = new Map<DocumentKey, DocumentAddress>();
  /** When those were updated that come from another store. */
  const kept = new Map<DocumentKey, number>();
  const outcomes = changes.map((change): PromiseSettledResult<void> => {
    const current = drafts.get(change.key);
    try {
      const before =
        kept.get(change.key) ?? (written.has(change.key) ? now : stored.get(change.key)?.updated);
      if (isOutdated(change, before)) return { status: 'fulfilled', value: undefined };
      if (change.updated === undefined) kept.delete(change.key);
      else kept.set(change.key, change.updated);
      const next = applyEdit(change, current);
      drafts.set(change.key, next);
      if (next !== undefined || current !== undefined) written.set(change.key, change.address);
      return { status: 'fulfilled', value: undefined };
    } catch (reason) {
      return { status: 'rejected', reason };
    }
  });
  const writes = new Map<DocumentKey, DocumentWrite>();
  for (const [key, address] of written) {
    const draft = drafts.get(key);
    // A clock that is set back must not make a document older than one that was looked at.
    const updated = kept.get(key) ?? Math.max(now, (stored.get(key)?.updated ?? 0) + 1);
    writes.set(key, { address, document: draft && documentIn(draft, updated) });
  }
  return { outcomes, writes };
}

function isOutdated({ updated }: DocumentChange, before: number | undefined): boolean {
  return updated !== undefined && before !== undefined && before >= updated;
}

/** @throws PreconditionFailedError, or what the edit throws; then the draft is as it was. */
export function applyEdit(
  { conditions, next }: DocumentEdit,
  current: DocumentDraft | undefined,
): DocumentDraft | undefined {
  const conditional = conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined;
  // The ETag of a merged document takes as long to compute as the whole merge.
  if (conditional) requireConditions(conditions, current?.etag);
  return next(current);
}

function documentIn({ contentType, content, etag }: DocumentDraft, updated: number): StoredDocument {
  return { contentType, content, etag, updated };
}
