import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, serverEntrance } from '../support/entrance.ts';

const oddNames = [
  'create temporary table',
  "insert into x values ('",
  'a\u0000b',
  'PRAGMA INDEX_LIST',
  ':apiKey',
  '?1',
];

describe('names that look like something else to a database', () => {
  let entrance: Entrance;
  beforeAll(async () => {
    entrance = await serverEntrance('http');
  });
  afterAll(() => entrance.close());

  it.each(oddNames)('%j as an API key is nobody: 401', async (name) => {
    const authorization = `Basic ${Buffer.from(`${name}:secret`).toString('base64')}`;
    const headers = { authorization, 'x-experience-api-version': '1.0.3' };
    const answer = await entrance.send({ method: 'GET', path: '/xapi/statements', headers });
    expect(answer.status).toBe(401);
  });

  it.each(oddNames.filter((name) => !name.includes('\u0000')))(
    '%j as a username is nobody: 401',
    async (username) => {
      const answer = await entrance.send({
        method: 'POST',
        path: '/admin/account/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: 'secret' }),
      });
      expect(answer.status).toBe(401);
    },
  );

  it('invalid UTF-8 in a form is refused, not altered', async () => {
    const answer = await entrance.send({
      method: 'POST',
      path: '/xapi/statements',
      query: 'method=GET',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-experience-api-version': '1.0.3' },
      body: Buffer.from('verb=http://example.org/\xff', 'latin1'),
    });
    expect(answer.status).toBe(400);
  });
});
