import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type LrsClient, parsed, stringMember } from '../support/lrs-client.ts';
import {
  newIri,
  newStatement,
  openStatementClient,
  type StatementClient,
  withIds,
} from '../support/statement-client.ts';

const voided = 'http://adlnet.gov/expapi/verbs/voided';

/** Ann's pair reads only what was stored with it; Bob's is another pair, and `all` reads everything. */
let all: StatementClient;
let ann: LrsClient;
let bob: LrsClient;

beforeAll(async () => {
  all = await openStatementClient();
  const scopes = ['statements/write', 'statements/read/mine'];
  ann = await connect(all.entrance, scopes);
  bob = await connect(all.entrance, scopes);
});
afterAll(() => all?.entrance.close());

async function post(client: LrsClient, ...statements: object[]): Promise<void> {
  expect((await client.xapi('POST', { body: JSON.stringify(statements) })).status).toBe(200);
}

async function statusOf(client: LrsClient, parameters: Record<string, string>): Promise<number> {
  return (await client.xapi('GET', { query: new URLSearchParams(parameters).toString() })).status;
}

async function found(client: LrsClient, parameters: Record<string, string>): Promise<unknown> {
  return parsed(await client.xapi('GET', { query: new URLSearchParams(parameters).toString() }));
}

const voiding = (id: string) =>
  newStatement({ verb: { id: voided }, object: { objectType: 'StatementRef', id } });

describe('a key pair with the scope statements/read/mine', () => {
  it('gets its own statement by id, and nobody else’s', async () => {
    const own = newStatement();
    const other = newStatement();
    await post(ann, own);
    await post(bob, other);
    expect(await statusOf(ann, { statementId: own.id })).toBe(200);
    expect(await statusOf(ann, { statementId: other.id })).toBe(404);
    expect(await statusOf(ann, { statementId: other.id, attachments: 'true' })).toBe(404);
    expect(await statusOf(all, { statementId: other.id })).toBe(200);
  });

  it('is told nothing of another’s statement by HEAD', async () => {
    const other = newStatement();
    await post(bob, other);
    const answer = await ann.xapi('HEAD', { query: `statementId=${other.id}` });
    expect([answer.status, answer.headers['last-modified']]).toEqual([404, undefined]);
  });

  it.each(['verb', 'activity', 'agent', 'registration'])('finds only its own by %s', async (filter) => {
    const activity = newIri('activities');
    const registration = crypto.randomUUID();
    const agent = { mbox: `mailto:${registration}@example.org` };
    const shared = {
      actor: agent,
      verb: { id: activity },
      object: { id: activity },
      context: { registration },
    };
    const own = newStatement(shared);
    const other = newStatement(shared);
    await post(bob, other);
    await post(ann, own);
    const values: Record<string, string> = {
      verb: activity,
      activity,
      agent: JSON.stringify(agent),
      registration,
    };
    const query = { [filter]: values[filter] ?? '' };
    expect(await found(ann, query)).toMatchObject(withIds(own));
    expect(await found(bob, query)).toMatchObject(withIds(other));
    expect(await found(all, query)).toMatchObject(withIds(own, other));
  });

  it('finds only its own without a filter, on every page', async () => {
    await post(bob, newStatement(), newStatement());
    await post(ann, newStatement(), newStatement(), newStatement());
    const everything = await found(all, { limit: '0' });
    const authorities = new Set<string>();
    let query = 'limit=2';
    for (let pages = 0; query !== '' && pages < 20; pages += 1) {
      const page = await ann.xapi('GET', { query });
      for (const authority of authoritiesOf(parsed(page))) authorities.add(authority);
      query = stringMember(page, 'more').split('?')[1] ?? '';
    }
    expect(query).toBe('');
    expect(authorities.size).toBe(1);
    expect(new Set(authoritiesOf(everything)).size).toBeGreaterThan(1);
  });

  it('gets its own voided statement, and nobody else’s', async () => {
    const own = newStatement();
    const other = newStatement();
    await post(ann, own, voiding(own.id));
    await post(bob, other, voiding(other.id));
    expect(await statusOf(ann, { voidedStatementId: own.id })).toBe(200);
    expect(await statusOf(ann, { voidedStatementId: other.id })).toBe(404);
    expect(await statusOf(all, { voidedStatementId: other.id })).toBe(200);
  });
});

function authoritiesOf(result: unknown): string[] {
  const statements: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'statements') : [];
  return Array.isArray(statements) ? statements.map(({ authority }) => JSON.stringify(authority)) : [];
}
