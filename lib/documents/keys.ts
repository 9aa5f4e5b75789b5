import { type Key, keyOf } from '../db/key.ts';
import type { DocumentAddress, DocumentCollection } from './types.ts';

export type DocumentKey = Key;

/** Finds one document: no two addresses share a key. */
export function documentKey({ kind, activity, agent, registration, id }: DocumentAddress): DocumentKey {
  return keyOf(JSON.stringify([kind, activity, agent, registration, id]));
}

/** Finds the documents of an owner, whatever their registrations. */
export function collectionKey({ kind, activity, agent }: DocumentCollection): DocumentKey {
  return keyOf(JSON.stringify([kind, activity, agent]));
}
