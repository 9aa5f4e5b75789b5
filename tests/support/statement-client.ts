import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Entrance, eventEntrance } from './entrance.ts';
import { type ClientAnswer, gatewayEvents } from './gateway-events.ts';
import { connect, type LrsClient, parsed } from './lrs-client.ts';

/** A client of the handlers of an LRS of its own, for tests about statements. */
export interface StatementClient extends LrsClient {
  readonly entrance: Entrance;
  /** Stores the statements as one batch. */
  post(...statements: object[]): Promise<void>;
  get(query: Record<string, string>, headers?: Record<string, string>): Promise<ClientAnswer>;
  /** The stored statement with the id. */
  one(id: string): Promise<unknown>;
  /** The result of a search. */
  found(query: Record<string, string>): Promise<unknown>;
}

export async function openStatementClient(
  env: Readonly<Record<string, string>> = {},
): Promise<StatementClient> {
  const eventOf = gatewayEvents['HTTP API event (v2)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  const entrance = await eventEntrance(eventOf, '', env);
  const client = await connect(entrance);
  const get: StatementClient['get'] = (query, headers = {}) =>
    client.xapi('GET', { query: new URLSearchParams(query).toString(), headers });
  return {
    ...client,
    entrance,
    get,
    post: async (...statements) => {
      expect((await client.xapi('POST', { body: JSON.stringify(statements) })).status).toBe(200);
    },
    one: async (id) => parsed(await get({ statementId: id })),
    found: async (query) => parsed(await get(query)),
  };
}

/** An IRI that nothing else has. */
export const newIri = (kind: string): string => `http://example.org/${kind}/${randomUUID()}`;

/** A statement whose verb and Activity no other has. */
export const newStatement = (more: object = {}) => ({
  id: randomUUID(),
  actor: { objectType: 'Agent', mbox: 'mailto:ann@example.org' },
  verb: { id: newIri('verbs') },
  object: { objectType: 'Activity', id: newIri('activities') },
  ...more,
});

/** What a result with these statements, in this order, matches. */
export const withIds = (...sent: { id: string }[]) => ({ statements: sent.map(({ id }) => ({ id })) });
