import type { DocumentList } from './types.ts';

/** The list that a client gets: one id may be in use with several registrations. */
export function listOf(
  documents: readonly { readonly id: string; readonly updated: number }[],
): DocumentList {
  const ids = [...new Set(documents.map(({ id }) => id))].sort();
  if (documents.length === 0) return { ids };
  return { ids, updated: documents.reduce((latest, { updated }) => Math.max(latest, updated), 0) };
}

/** The JSON text of a list of ids, which its ETag is taken of. */
export function textOf(ids: readonly string[]): string {
  return JSON.stringify(ids);
}
