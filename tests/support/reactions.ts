import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Administration, AdminRequest } from './admin-client.ts';
import type { ClientAnswer } from './gateway-events.ts';
import { parsed, stringMember } from './lrs-client.ts';

/** Settings of an LRS that has reactions. */
export const withReactions = { LRS_ENABLE_REACTIONS: 'true' };

/** A ruleset whose one condition is a verb of its own, with parts replaced. */
export function ruleset(parts: object = {}): Record<string, unknown> {
  return {
    identityPaths: [['actor', 'mbox']],
    conditions: {
      seen: { path: ['verb', 'id'], op: 'eq', val: `https://example.org/verbs/${randomUUID()}` },
    },
    template: {
      actor: { $templatePath: ['seen', 'actor'] },
      verb: { id: 'https://example.org/verbs/noticed' },
      object: { id: 'https://example.org/activities/it' },
    },
    ...parts,
  };
}

/** A title that no other reaction has. */
export const newTitle = (): string => `a reaction ${randomUUID()}`;

/** The reaction routes of an LRS, called with one token. */
export interface ReactionRoutes {
  send(method: string, body?: unknown, path?: string): Promise<ClientAnswer>;
  /** Creates a reaction, which has to succeed; gives its id. */
  create(body?: object): Promise<string>;
  list(): Promise<readonly ListedReaction[]>;
  /** The reaction in the list; undefined when it is not there. */
  listed(id: string): Promise<ListedReaction | undefined>;
  details(id: string, query?: string): Promise<Record<string, unknown>>;
}

export type ListedReaction = Readonly<Record<string, unknown>> & { readonly id: string };

export function reactionRoutes(lrs: Administration, token: string): ReactionRoutes {
  const send: ReactionRoutes['send'] = (method, body, path = '') => {
    const request: AdminRequest = { token, ...(body !== undefined && { body }) };
    return lrs.call(method, `/admin/reaction${path}`, request);
  };
  const list: ReactionRoutes['list'] = async () => {
    const { reactions } = parsed(await send('GET')) as { reactions: ListedReaction[] };
    return reactions;
  };
  return {
    send,
    create: async (body = {}) => {
      const answer = await send('POST', { title: newTitle(), ruleset: ruleset(), active: true, ...body });
      expect(answer.status, answer.body.toString()).toBe(200);
      return stringMember(answer, 'reactionId');
    },
    list,
    listed: async (id) => (await list()).find((reaction) => reaction.id === id),
    details: async (id, query = '') => {
      const answer = await lrs.call('GET', `/admin/reaction/${id}`, { token, query });
      expect(answer.status, answer.body.toString()).toBe(200);
      return parsed(answer) as Record<string, unknown>;
    },
  };
}
