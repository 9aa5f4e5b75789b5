import { createHash, randomUUID } from 'node:crypto';
import type { DocumentKind } from '../../lib/documents/types.ts';
import type { XapiVersion } from '../../lib/xapi/types.ts';
import type { ClientAnswer } from './gateway-events.ts';
import type { LrsClient } from './lrs-client.ts';

export interface DocumentResource {
  readonly kind: DocumentKind;
  readonly id: 'stateId' | 'profileId';
  /** The parameters of an owner that no other test has. */
  newOwner(): Record<string, string>;
}

export const agentParameter = (name: string): string =>
  JSON.stringify({ account: { homePage: 'http://example.org', name } });

const newActivity = () => ({ activityId: `http://example.org/activities/${randomUUID()}` });
const newAgent = () => ({ agent: agentParameter(randomUUID()) });

export const resources: readonly DocumentResource[] = [
  { kind: 'activities/state', id: 'stateId', newOwner: () => ({ ...newActivity(), ...newAgent() }) },
  { kind: 'agents/profile', id: 'profileId', newOwner: newAgent },
  { kind: 'activities/profile', id: 'profileId', newOwner: newActivity },
];

export const versions: readonly XapiVersion[] = ['1.0.3', '2.0.0'];

/** Every resource in every version. */
export const resourcesAndVersions = resources.flatMap((resource) =>
  versions.map((version) => ({ ...resource, version })),
);

export interface DocumentRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Calls one document resource in one version. */
export type SendDocument = (method: string, request: DocumentRequest) => Promise<ClientAnswer>;

export function documentSender(client: LrsClient, kind: DocumentKind, version: XapiVersion): SendDocument {
  return (method, { query, headers, body }) =>
    client.xapi(method, {
      path: `/xapi/${kind}`,
      query: new URLSearchParams(query).toString(),
      headers: { 'x-experience-api-version': version, ...headers },
      ...(body !== undefined && { body }),
    });
}

/** The ETag header that a content has (xAPI 1.0.3 Communication 3.1). */
export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha1').update(content).digest('hex')}"`;
}
