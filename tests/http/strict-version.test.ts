import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsed } from '../support/lrs-client.ts';
import { newStatement, openStatementClient, type StatementClient } from '../support/statement-client.ts';

const version2 = { 'x-experience-api-version': '2.0.0' };
const contextAgents = [
  { objectType: 'contextAgent', agent: { objectType: 'Agent', mbox: 'mailto:bob@example.org' } },
];
const platform = 'a platform';
const timestamp = '2026-11-25 10:00:00.000Z';

describe.each([
  ['with enableStrictVersion', 'true'],
  ['without enableStrictVersion', 'false'],
])('statements of xAPI 2.0 %s', (_, strict) => {
  const statement = newStatement({
    timestamp,
    context: { contextAgents, platform },
    result: { score: { raw: 1e30 } },
  });
  const substatement = newStatement({
    object: {
      objectType: 'SubStatement',
      actor: statement.actor,
      verb: statement.verb,
      object: statement.object,
      context: { contextAgents },
    },
  });

  let client: StatementClient;
  beforeAll(async () => {
    client = await openStatementClient({ LRS_ENABLE_STRICT_VERSION: strict });
    const body = JSON.stringify([statement, substatement]).replace('1e+30', '1.50e30');
    expect((await client.xapi('POST', { body, headers: version2 })).status).toBe(200);
  });
  afterAll(() => client?.entrance.close());

  const one = async (id: string, headers: Record<string, string>) =>
    parsed(await client.get({ statementId: id }, headers));

  it('stay as they are for readers of 2.0', async () => {
    expect(await one(statement.id, version2)).toMatchObject({
      version: '2.0.0',
      timestamp,
      context: { contextAgents, platform },
    });
  });

  it('are statements of 1.0.3 for readers of 1.0.x only if that is asked for', async () => {
    const shown = (await one(statement.id, {})) as { context: object };
    const sub = (await one(substatement.id, {})) as { object: object };
    if (strict === 'true') {
      expect(shown).toMatchObject({ version: '1.0.0', timestamp: timestamp.replace(' ', 'T') });
      expect(shown.context).toEqual({ platform });
      expect(sub.object).not.toHaveProperty('context');
    } else {
      expect(shown).toMatchObject({ version: '2.0.0', timestamp, context: { contextAgents } });
      expect(sub.object).toMatchObject({ context: { contextAgents } });
    }
  });

  it('keep their numbers as they were written, in lists too', async () => {
    const { body } = await client.get({ verb: statement.verb.id });
    expect(body.toString()).toContain('"raw":1.50e30');
    expect(body.toString()).toContain(`"version":"${strict === 'true' ? '1.0.0' : '2.0.0'}"`);
  });

  it('of 1.0.3 stay as they are', async () => {
    const old = newStatement({ version: '1.0.1' });
    await client.post(old);
    expect(await one(old.id, {})).toMatchObject({ version: '1.0.1' });
  });
});
