import { randomUUID } from 'node:crypto';
import { serverEntrance } from './entrance.ts';
import { connect, stringMember } from './lrs-client.ts';

/** What a client library is told to find an LRS. */
export interface LibrarySettings {
  readonly endpoint: string;
  readonly key: string;
  readonly secret: string;
  close(): Promise<void>;
}

/** Starts a server and makes a key pair for a client library. */
export async function serveLibrary(): Promise<LibrarySettings> {
  const server = await serverEntrance('http');
  const pair = await (await connect(server)).admin('POST', '/admin/creds', { scopes: ['all'] });
  return {
    endpoint: `${server.url}/xapi/`,
    key: stringMember(pair, 'api-key'),
    secret: stringMember(pair, 'secret-key'),
    close: server.close,
  };
}

export const verb = { id: 'http://example.com/verbs/tried', display: { en: 'tried' } };
export const definition = { name: { en: 'Chess' } };
export const note = 'The note – in one line';
export const attachment = {
  usageType: 'http://example.com/attachment-usage/note',
  display: { en: 'a note' },
  contentType: 'text/plain',
};

export interface Learner {
  readonly agent: { readonly objectType: 'Agent'; readonly mbox: string; readonly name: string };
  readonly activityId: string;
}

/** An agent and an activity that nobody else has, so that a test finds only what is its own. */
export function learner(): Learner {
  const mbox = `mailto:${randomUUID()}@example.com`;
  return {
    agent: { objectType: 'Agent', mbox, name: 'Ada' },
    activityId: `http://example.com/${randomUUID()}`,
  };
}
