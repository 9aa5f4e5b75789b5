import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed, stringMember } from '../support/lrs-client.ts';
import { type RealStatement, realStatements, realStatementsAreThere } from '../support/real-statements.ts';

interface StoredStatement extends RealStatement {
  readonly stored: string;
  readonly authority: object;
  readonly version: string;
}

function isPage(body: unknown): body is { statements: StoredStatement[] } {
  return typeof body === 'object' && body !== null && 'statements' in body && Array.isArray(body.statements);
}

/** Walks through `more` to the end. */
async function walk(client: LrsClient, parameters: Record<string, string>): Promise<StoredStatement[]> {
  const found: StoredStatement[] = [];
  let query = new URLSearchParams(parameters).toString();
  for (;;) {
    const answer = await client.xapi('GET', { query });
    const page = parsed(answer);
    if (!isPage(page)) throw new Error(`${answer.status} ${answer.body.toString('utf8')}`);
    found.push(...page.statements);
    const more = stringMember(answer, 'more');
    if (more === '') return found;
    query = more.slice(more.indexOf('?') + 1);
  }
}

/** As it was sent: without what the LRS must add. */
function sent({ stored, authority, version, ...rest }: StoredStatement): object {
  return rest;
}

const contextActivityIds = (statement: RealStatement) =>
  Object.values(statement.context.contextActivities).flatMap((list) => list.map(({ id }) => id));

/** The value that occurs most often. */
function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? '';
}

describe.skipIf(!realStatementsAreThere)('10,000 real statements, posted in batches of 500', () => {
  let entrance: Entrance;
  let client: LrsClient;
  const statements = realStatementsAreThere ? realStatements() : [];

  beforeAll(async () => {
    entrance = await serverEntrance('http');
    client = await connect(entrance);
    for (let start = 0; start < statements.length; start += 500) {
      const batch = statements.slice(start, start + 500);
      const answer = await client.xapi('POST', { body: JSON.stringify(batch) });
      expect([answer.status, parsed(answer)]).toEqual([200, batch.map(({ id }) => id)]);
    }
  });
  afterAll(() => entrance?.close());

  it('come back through more as they were sent, oldest first and newest first', async () => {
    const ascending = await walk(client, { ascending: 'true' });
    expect(ascending.map(sent)).toEqual(statements);
    const descending = await walk(client, {});
    expect(descending.map(({ id }) => id)).toEqual(statements.map(({ id }) => id).toReversed());
    expect(ascending.every(({ version }) => version === '1.0.0')).toBe(true);
    const stored = ascending.map((statement) => statement.stored);
    expect(new Set(stored).size).toBe(statements.length);
    expect(stored.toSorted()).toEqual(stored);
  });

  const actor = mostFrequent(statements.map((statement) => JSON.stringify(statement.actor)));
  const verb = mostFrequent(statements.map((statement) => statement.verb.id));
  const activity = mostFrequent(statements.map((statement) => statement.object.id));
  const course = mostFrequent(statements.flatMap(contextActivityIds));
  const isActor = (statement: RealStatement) => JSON.stringify(statement.actor) === actor;

  it.each<[string, Record<string, string>, (statement: RealStatement) => boolean]>([
    ['agent', { agent: actor }, isActor],
    ['verb', { verb }, (statement) => statement.verb.id === verb],
    ['activity', { activity }, (statement) => statement.object.id === activity],
    [
      'activity with related_activities',
      { activity: course, related_activities: 'true' },
      (statement) => statement.object.id === course || contextActivityIds(statement).includes(course),
    ],
    [
      'agent and verb',
      { agent: actor, verb },
      (statement) => isActor(statement) && statement.verb.id === verb,
    ],
    [
      'agent, verb and activity',
      { agent: actor, verb, activity },
      (statement) => isActor(statement) && statement.verb.id === verb && statement.object.id === activity,
    ],
    ['a verb that nobody used', { verb: 'http://example.org/unused' }, () => false],
  ])('are found by %s', async (_, parameters, matches) => {
    const found = await walk(client, { ...parameters, ascending: 'true' });
    expect(found.map(sent)).toEqual(statements.filter(matches));
  });

  it('are not stored again when they are posted again', async () => {
    const answer = await client.xapi('POST', { body: JSON.stringify(statements.slice(0, 500)) });
    expect(parsed(answer)).toEqual(statements.slice(0, 500).map(({ id }) => id));
    expect(await walk(client, {})).toHaveLength(statements.length);
  });
});
