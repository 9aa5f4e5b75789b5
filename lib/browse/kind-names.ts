import type { DocumentKind } from '../documents/types.ts';

/** What the administration calls the kinds of documents. */
export const kindNames = {
  'activities/state': 'state',
  'agents/profile': 'agent-profile',
  'activities/profile': 'activity-profile',
} as const satisfies Readonly<Record<DocumentKind, string>>;

export type DocumentKindName = (typeof kindNames)[DocumentKind];

const kinds: readonly DocumentKind[] = ['activities/state', 'agents/profile', 'activities/profile'];

export function kindOf(name: DocumentKindName | undefined): DocumentKind | undefined {
  return kinds.find((kind) => kindNames[kind] === name);
}
