import { hash } from 'node:crypto';
import type { DocumentAddress, DocumentCollection } from './types.ts';

/** 16 bytes as lower-case hex. */
export type DocumentKey = string;

/** Finds one document: no two addresses share a key. */
export function documentKey({ kind, activity, agent, registration, id }: DocumentAddress): DocumentKey {
  return keyOf([kind, activity, agent, registration, id]);
}

/** Finds the documents of an owner, whatever their registrations. */
export function collectionKey({ kind, activity, agent }: DocumentCollection): DocumentKey {
  return keyOf([kind, activity, agent]);
}

/** Half of a SHA-256 hash: nobody can make up two values that share a key. */
function keyOf(parts: readonly (string | undefined)[]): DocumentKey {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}
