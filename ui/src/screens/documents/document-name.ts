import { type DocumentKindName, kindNames, kindOf } from '../../../../lib/browse/kind-names.ts';
import { documentKinds } from '../../../../lib/documents/kinds.ts';
import type { DocumentKind } from '../../../../lib/documents/types.ts';
import type { Query } from '../../api/address.ts';
import type { DocumentName } from '../../api/browse-pages.ts';

export const kindNameList: readonly DocumentKindName[] = Object.values(kindNames);

/** The resource of the xAPI that has documents of this kind. */
export function resourceOf({ kind }: DocumentName): DocumentKind {
  return kindOf(kind) ?? 'activities/state';
}

/** `stateId` or `profileId`. */
export function idOf(name: DocumentName): string {
  return name[documentKinds[resourceOf(name)].id] ?? '';
}

/** The parameters that name the document to its resource. */
export function parametersOf({ kind: _, agent, ...texts }: DocumentName): Query {
  return { ...texts, agent: agent && JSON.stringify(agent) };
}

/** The name as text for the address, without what else is known of the document. */
export function textOfName({
  kind,
  activityId,
  agent,
  registration,
  stateId,
  profileId,
}: DocumentName): string {
  return JSON.stringify({ kind, activityId, agent, registration, stateId, profileId });
}

/** The other way round; undefined for a text that names no document. */
export function nameIn(text: string): DocumentName | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isName(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Only the kind is looked at: what else is wrong the server says. */
function isName(value: unknown): value is DocumentName {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    kindNameList.some((kind) => kind === value.kind)
  );
}
