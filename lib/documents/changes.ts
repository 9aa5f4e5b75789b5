import { entityTagOf, requireConditions } from './entity-tag.ts';
import type { DocumentKey } from './keys.ts';
import type { Conditions, DocumentAddress, DocumentContent, StoredDocument } from './types.ts';

/** One request that writes one document. */
export interface DocumentChange {
  readonly key: DocumentKey;
  readonly address: DocumentAddress;
  readonly conditions: Conditions;
  /** Takes place whatever is stored, so nobody has to look. */
  readonly blind?: boolean;
  /** What is to stand there after what is stored now; undefined stands for nothing. May refuse by throwing. */
  readonly next: (stored: StoredDocument | undefined) => DocumentContent | undefined;
}

/** What is to be written at a key: a document, or undefined to remove the one that is there. */
export interface DocumentWrite {
  readonly address: DocumentAddress;
  readonly document: StoredDocument | undefined;
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
  stored: ReadonlyMap<DocumentKey, StoredDocument>,
  now: number,
): AppliedChanges {
  const writes = new Map<DocumentKey, DocumentWrite>();
  const outcomes = changes.map((change): PromiseSettledResult<void> => {
    const earlier = writes.get(change.key);
    const current = earlier === undefined ? stored.get(change.key) : earlier.document;
    try {
      const document = after(change, current, now);
      if (document !== current) writes.set(change.key, { address: change.address, document });
      return { status: 'fulfilled', value: undefined };
    } catch (reason) {
      return { status: 'rejected', reason };
    }
  });
  return { outcomes, writes };
}

function after(
  { conditions, next }: DocumentChange,
  current: StoredDocument | undefined,
  now: number,
): StoredDocument | undefined {
  requireConditions(conditions, current?.etag);
  const document = next(current);
  if (document === undefined) return undefined;
  // A clock that is set back must not make a document older than one that was looked at.
  const updated = Math.max(now, (current?.updated ?? 0) + 1);
  return { ...document, etag: entityTagOf(document.content), updated };
}
