import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';

const frozen = readFileSync(join(import.meta.dirname, 'release-0.1.0.sqlite.sql'), 'utf8');
/** The profile of somebody whom no statement mentions. */
const dorasProfile = `INSERT INTO document VALUES(X'${'11'.repeat(16)}', X'${'22'.repeat(16)}', 'agents/profile', NULL,
  'mbox::mailto:dora@example.org', NULL, 'likes', 'application/json', '${'0'.repeat(40)}', 1, X'7b7d')`;
const ann = JSON.stringify({ mbox: 'mailto:ann@example.org' });
const activityId = 'http://example.org/activity';
const id = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;

function fill(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file);
    database.exec(`${frozen};${dorasProfile}`, (failure) =>
      database.close((error) => (failure || error ? reject(failure ?? error) : resolve())),
    );
  });
}

describe('a store of the previous release', () => {
  let directory = '';
  let entrance: ServerEntrance;
  let client: LrsClient;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'previous-'));
    const file = join(directory, 'lrs.sqlite');
    await fill(file);
    entrance = await serverEntrance('http', { LRS_DB_NAME: file });
    client = await connect(entrance);
  });

  afterEach(async () => {
    await entrance.close();
    rmSync(directory, { recursive: true });
  });

  const get = async (path: string, query: Record<string, string>) => {
    const answer = await client.xapi('GET', { path, query: new URLSearchParams(query).toString() });
    expect(answer.status).toBe(200);
    return answer;
  };
  const found = async (query: Record<string, string>) => parsed(await get('/xapi/statements', query));

  it('keeps its accounts, statements, documents and what statements have told', async () => {
    expect(await found({ agent: ann, ascending: 'true' })).toMatchObject({
      statements: [{ id: id(1) }, { id: id(3) }, { id: id(4) }],
    });
    expect(await found({ activity: activityId })).toMatchObject({
      statements: [{ id: id(4) }, { id: id(3) }, { id: id(1) }],
    });
    const voided = await get('/xapi/statements', { voidedStatementId: id(2), format: 'exact' });
    expect(voided.body.toString()).toContain('"score":{"raw":1.50}');
    const state = await get('/xapi/activities/state', { activityId, agent: ann, stateId: 'bookmark' });
    expect(state.body.toString()).toBe('{"page":7}');
    expect(parsed(await get('/xapi/agents', { agent: ann }))).toMatchObject({
      name: ['Ann 4', 'Ann 3', 'Ann 2', 'Ann 1'],
    });
    expect(parsed(await get('/xapi/activities', { activityId }))).toMatchObject({
      definition: { name: { en: 'Name 2' } },
    });
  });

  it('is counted', async () => {
    const members = [
      'statement-count',
      'actor-count',
      'activity-count',
      'verb-frequency',
      'activity-frequency',
    ];
    const query = members.map((member) => `include=${member}`).join('&');
    expect(parsed(await client.admin('GET', `/admin/status?${query}`))).toEqual({
      'statement-count': 4,
      'actor-count': 1,
      'activity-count': 1,
      'verb-frequency': [
        { id: 'http://adlnet.gov/expapi/verbs/experienced', count: 3 },
        { id: 'http://adlnet.gov/expapi/verbs/voided', count: 1 },
      ],
      'activity-frequency': [{ id: activityId, name: { en: 'Name 2' }, count: 2 }],
    });
  });

  it('goes on: what refers to its statements is found through them', async () => {
    const statement = {
      actor: { mbox: 'mailto:bob@example.org' },
      verb: { id: 'http://example.org/commented' },
      object: { objectType: 'StatementRef', id: id(1) },
    };
    expect((await client.xapi('POST', { body: JSON.stringify(statement) })).status).toBe(200);
    expect(await found({ activity: activityId, limit: '1' })).toMatchObject({
      statements: [{ verb: { id: 'http://example.org/commented' } }],
    });
  });

  it('lists the Agents of its statements and documents', async () => {
    const answer = await client.admin('GET', '/admin/agents');
    const vouching = { account: { homePage: 'http://example.org', name: expect.any(String) } };
    const listed = [
      {
        agent: { mbox: 'mailto:ann@example.org' },
        names: ['Ann 4', 'Ann 3', 'Ann 2', 'Ann 1'],
        statements: 4,
      },
      { agent: { mbox: 'mailto:dora@example.org' }, names: [] },
      { agent: vouching, names: [] },
    ];
    const { agents } = parsed(answer) as { agents: unknown[] };
    expect(agents).toEqual(expect.arrayContaining(listed));
    expect(agents).toHaveLength(listed.length);
  });
});
