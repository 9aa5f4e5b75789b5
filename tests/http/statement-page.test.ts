import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsed } from '../support/lrs-client.ts';
import {
  newIri,
  newStatement,
  openStatementClient,
  type StatementClient,
} from '../support/statement-client.ts';

/** As browsers send it, without a version. */
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'x-experience-api-version': undefined as unknown as string,
};
const attack = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`;

describe('statements in a browser', () => {
  let client: StatementClient;
  beforeAll(async () => {
    client = await openStatementClient();
  });
  afterAll(() => client?.entrance.close());

  const page = async (query: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await client.get(query, { ...browser, ...headers });
    return { ...answer, text: answer.body.toString() };
  };

  it('are a page that needs no version, lets nothing run and is told apart from JSON by caches', async () => {
    const statement = newStatement({ actor: { name: 'Ann', mbox: 'mailto:ann@example.org' } });
    await client.post(statement);
    const { status, headers, text } = await page({ statementId: statement.id });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
      vary: 'Accept, Accept-Language, Origin',
      'x-experience-api-version': '2.0.0',
    });
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain('>Ann</a>');
    expect(text).toContain(`href="?statementId=${statement.id}"`);
  });

  it('show whatever clients have stored as text', async () => {
    const verb = newIri('verbs');
    const statement = newStatement({
      actor: { name: attack, account: { homePage: 'http://example.org', name: attack } },
      verb: { id: verb, display: { en: attack } },
      object: {
        objectType: 'Activity',
        id: 'javascript:alert(1)',
        definition: { name: { en: attack }, extensions: { 'http://example.org/x': attack } },
      },
      context: { registration: '6f0c1b2a-3d4e-4f50-8a6b-7c8d9e0f1a2b', platform: attack },
    });
    await client.post(statement);
    const { text } = await page({ verb });
    const tags = new Set([...text.matchAll(/<\/?([a-z0-9]+|!doctype)/gi)].map(([, name]) => name));
    expect([...tags].sort()).toEqual(
      '!doctype a article body details h1 h2 head html main meta p pre style summary title'.split(' '),
    );
    expect([...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href[0])).not.toContainEqual(
      expect.stringMatching(/[^?]/),
    );
    expect([...text.matchAll(/<[^>]*\son\w+=/g)]).toEqual([]);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('lead to the next page and to what has something in common', async () => {
    const verb = newIri('verbs');
    await client.post(newStatement({ verb: { id: verb } }), newStatement({ verb: { id: verb } }));
    const { text } = await page({ verb, limit: '1' });
    const [, more = ''] = /href="([^"]*)" rel="next"/.exec(text) ?? [];
    const [, query = ''] = more.replaceAll('&amp;', '&').split('?');
    const next = await page(Object.fromEntries(new URLSearchParams(query)));
    expect(next.text).not.toContain('rel="next"');
    expect(next.text.match(/<article>/g)).toHaveLength(1);
    const [, byVerb = ''] = /href="(\?verb=[^"]*)"/.exec(text) ?? [];
    expect(new URLSearchParams(byVerb.slice(1)).get('verb')).toBe(verb);
  });

  it('speak the language that the browser prefers', async () => {
    const statement = newStatement({
      verb: { id: newIri('verbs'), display: { en: 'passed', de: 'bestanden' } },
    });
    await client.post(statement);
    const { text } = await page({ statementId: statement.id }, { 'accept-language': 'de' });
    expect(text).toContain('>bestanden</a>');
  });

  it('are cut where they are very long', async () => {
    const statement = newStatement({ context: { platform: 'x'.repeat(100_000) } });
    await client.post(statement);
    const { text } = await page({ statementId: statement.id });
    expect(text).toMatch(/… the statement has 10\d{4} characters in all/);
    expect(text.length).toBeLessThan(80_000);
  });

  it('have short headings, and no links with parameters of any length', async () => {
    const verb = newIri('verbs');
    const name = "'".repeat(100_000);
    const actor = { name, account: { homePage: 'http://example.org', name } };
    const object = { id: newIri('activities'), definition: { name: { en: name } } };
    await client.post(
      newStatement({ verb: { id: verb }, actor, object }),
      newStatement({ verb: { id: verb }, actor: { account: { homePage: 'http://example.org', name } } }),
    );
    const { text } = await page({ verb });
    expect(text.length).toBeLessThan(1_500_000);
    expect(text).toContain(`${'&#39;'.repeat(300)}…`);
    expect(text.match(/href="\?agent=/g)).toBeNull();
    expect(text.match(/href="\?verb=/g)).toHaveLength(2);
  });

  it('have no links with parameters that are long only when encoded', async () => {
    const verb = newIri('verbs');
    const [short, long] = [300, 400].map((length) => newIri('activities') + 'ä'.repeat(length)) as [
      string,
      string,
    ];
    await client.post(...[short, long].map((id) => newStatement({ verb: { id: verb }, object: { id } })));
    const { text } = await page({ verb });
    const queries = [...text.matchAll(/href="\?(activity=[^"]*)"/g)].map(([, query = '']) => query);
    expect(queries.map((query) => new URLSearchParams(query).get('activity'))).toEqual([short]);
  });

  it('are cut between whole characters', async () => {
    const verb = newIri('verbs');
    const actor = { name: `${'x'.repeat(299)}😀😀`, mbox: 'mailto:ann@example.org' };
    await client.post(newStatement({ verb: { id: verb }, actor }));
    const { text } = await page({ verb });
    expect(text).toContain(`${'x'.repeat(299)}😀…`);
  });

  it('are JSON for clients that ask for it first, and multipart with attachments', async () => {
    const statement = newStatement();
    await client.post(statement);
    const json = await client.get({ statementId: statement.id }, { accept: 'application/json, text/html' });
    expect(parsed(json)).toMatchObject({ id: statement.id });
    expect(json.headers.vary?.split(', ')).toContain('Accept');
    const multipart = await page({ statementId: statement.id, attachments: 'true' });
    expect(multipart.headers['content-type']).toMatch(/^multipart\/mixed/);
  });

  it('ask for a login without a key pair, and have errors as JSON', async () => {
    const { entrance } = client;
    const path = '/xapi/statements';
    const anonymous = await entrance.send({ method: 'GET', path, headers: { accept: 'text/html' } });
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(/^Basic/),
    ]);
    const wrong = await page({ limit: 'x' });
    expect([wrong.status, wrong.headers['content-type']]).toEqual([400, 'application/json']);
    expect((await client.xapi('POST', { body: '[]', headers: browser })).status).toBe(400);
  });
});

it('statements are JSON for browsers, too, where enableStmtHtml is off, and need a version', async () => {
  const client = await openStatementClient({ LRS_ENABLE_STMT_HTML: 'false' });
  try {
    expect((await client.get({}, browser)).status).toBe(400);
    const { headers } = await client.get({}, { accept: 'text/html' });
    expect(headers['content-type']).toBe('application/json');
    expect(headers.vary?.split(', ')).not.toContain('Accept');
  } finally {
    await client.entrance.close();
  }
});
