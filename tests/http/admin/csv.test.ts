import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, tokenOf } from '../../support/admin-client.ts';
import type { ClientAnswer } from '../../support/gateway-events.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { parsed } from '../../support/lrs-client.ts';
import { newStatement } from '../../support/statement-client.ts';
import { agent, voiding } from '../../support/statements.ts';

/* The titles are the sentences of the service specification and of what fills its gaps. */

const ids = JSON.stringify([['id']]);

describe.each(administrations)('the export as CSV, on $name', ({ name, shared, open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  let token: string;
  const verb = { id: 'http://example.org/verbs/exported', display: { en: 'exported, once', de: '"x"' } };
  const registration = '39e24cc4-69af-4b01-a824-1fdc6ea8a3af';
  const first = newStatement({ verb, actor: agent('first'), result: { score: { raw: 0 }, success: false } });
  const second = newStatement({
    verb,
    actor: { ...agent('second'), name: '=HYPERLINK("http://evil.example")' },
    result: { response: 'two\r\nlines' },
    context: { registration, extensions: { 'http://example.org/n': [1, { a: '-1' }] } },
  });
  const third = newStatement({ verb, actor: agent('third'), object: agent('first') });

  beforeAll(async () => {
    lrs = await open();
    holder = await keyPairHolder(lrs);
    token = await lrs.login();
    await holder.post(first, second, third);
  });
  afterAll(() => lrs?.close());

  const oneTime = async (): Promise<string> => tokenOf(await lrs.call('GET', '/admin/csv/auth', { token }));
  const fetchCsv = (parameters: Record<string, string>, bearer?: string): Promise<ClientAnswer> =>
    lrs.call('GET', '/admin/csv', {
      query: new URLSearchParams(parameters).toString(),
      ...(bearer !== undefined && { token: bearer }),
    });
  /** The file of an export, one that has to succeed. */
  const exported = async (parameters: Record<string, string>): Promise<string> => {
    const answer = await fetchCsv({ token: await oneTime(), ...parameters });
    expect([answer.status, answer.status === 200 ? '' : answer.body.toString()]).toEqual([200, '']);
    return answer.body.toString();
  };
  const rows = async (parameters: Record<string, string>): Promise<string[]> =>
    (await exported({ 'property-paths': ids, ...parameters })).split('\r\n').slice(1, -1);

  describe('GET /admin/csv/auth', () => {
    it('One-time JWT for `/admin/csv`.', async () => {
      const answer = await lrs.call('GET', '/admin/csv/auth', { token, body: {} });
      expect(answer.status).toBe(200);
      const claims = JSON.parse(Buffer.from(tokenOf(answer).split('.')[1] ?? '', 'base64url').toString());
      expect(claims).toMatchObject({ oti: expect.any(String), iat: expect.any(Number) });
      expect(claims.exp).toBeGreaterThan(claims.iat);
      expectError(await lrs.call('GET', '/admin/csv/auth'), 401);
    });

    it('It lets the download work from an HTML anchor with a download attribute, without headers.', async () => {
      const answer = await fetchCsv({ token: await oneTime() });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^text\/csv/);
      expect(answer.headers['content-disposition']).toMatch(/^attachment/);
    });
  });

  describe('the one-time token', () => {
    it('is good for one download only', async () => {
      const once = await oneTime();
      expect((await fetchCsv({ token: once })).status).toBe(200);
      expectError(await fetchCsv({ token: once }), 401);
      expectError(await fetchCsv({ token: once }, token), 401);
    });

    it('that has been used is refused as such before anything of the export is looked at', async () => {
      const once = await oneTime();
      expect((await fetchCsv({ token: once })).status).toBe(200);
      const answer = await fetchCsv({ token: once, limit: '-1' });
      expectError(answer, 401);
      expect(answer.body.toString()).toContain('has been used');
    });

    it('of two concurrent downloads one gets 401', async () => {
      const others = shared ? [await lrs.elsewhere(), await lrs.elsewhere()] : [lrs, lrs];
      const once = await oneTime();
      const query = new URLSearchParams({ token: once }).toString();
      const answers = await Promise.all(
        [lrs, ...others, lrs, ...others].map((each) => each.call('GET', '/admin/csv', { query })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    });

    it('is refused as Bearer, and a login token is refused as one-time token', async () => {
      const once = await oneTime();
      expectError(await lrs.call('GET', '/admin/me', { token: once }), 401);
      expectError(await fetchCsv({}, once), 401);
      expectError(await fetchCsv({ token }), 401);
      expect((await fetchCsv({ token: once })).status).toBe(200);
    });

    it('is revoked by the logout of its account, like all tokens', async () => {
      const account = await lrs.newAccount();
      const once = tokenOf(await lrs.call('GET', '/admin/csv/auth', { token: account.token }));
      expect(
        (await lrs.call('POST', '/admin/account/logout', { token: account.token, body: {} })).status,
      ).toBe(200);
      expectError(await fetchCsv({ token: once }), 401);
    });

    it.each([
      ['property-paths', '[["id"]'],
      ['property-paths', ''],
      ['property-paths', '[]'],
      ['property-paths', '{}'],
      ['limit', '-1'],
      ['agent', '{'],
      ['Verb', 'http://example.org'],
    ])('is never burnt by a 400, such as that of %s=%s', async (parameter, value) => {
      const once = await oneTime();
      expectError(await fetchCsv({ token: once, [parameter]: value }), 400);
      expect((await fetchCsv({ token: once })).status).toBe(200);
    });

    it('is looked at before the parameters', async () => {
      expectError(await fetchCsv({ token: 'x', limit: '-1' }), 401);
      expectError(await fetchCsv({ limit: '-1' }), 401);
    });
  });

  describe('GET /admin/csv', () => {
    it('takes a login token in the header too', async () => {
      expect((await fetchCsv({}, token)).status).toBe(200);
      expect((await fetchCsv({}, token)).status).toBe(200);
    });

    it('URL-encoded property-path vector strings: a JSON array of paths or an EDN vector', async () => {
      const json = '[["id"],["actor","mbox"],["context","extensions","http://example.org/n",1,"a"]]';
      const edn = '[["id"] ["actor" "mbox"] ["context" "extensions" "http://example.org/n" 1 "a"]]';
      const expected = [
        'id,actor_mbox,context_extensions_http://example.org/n_1_a',
        `${first.id},mailto:first@example.org,`,
        `${second.id},mailto:second@example.org,'-1`,
        `${third.id},mailto:third@example.org,`,
        '',
      ].join('\r\n');
      const filter = { verb: verb.id, ascending: 'true' };
      expect(await exported({ ...filter, 'property-paths': json })).toBe(expected);
      expect(await exported({ ...filter, 'property-paths': edn })).toBe(expected);
    });

    it('one cell per header always; objects and arrays as JSON; quotes and line ends kept', async () => {
      const paths = [['verb', 'display'], ['result'], ['result', 'response'], ['nothing'], ['nothing', 0]];
      const file = await exported({
        statementId: second.id,
        'property-paths': JSON.stringify([...paths, ['context', 'extensions', 'http://example.org/n']]),
      });
      expect(file).toBe(
        [
          'verb_display,result,result_response,nothing,nothing_0,context_extensions_http://example.org/n',
          '"{""en"":""exported, once"",""de"":""\\""x\\""""}","{""response"":""two\\r\\nlines""}","two\r\nlines",,,"[1,{""a"":""-1""}]"',
          '',
        ].join('\r\n'),
      );
    });

    it('a cell that a spreadsheet would run as a formula is defused', async () => {
      const paths = JSON.stringify([['actor', 'name'], ['result', 'score', 'raw'], ['=1+1']]);
      const file = await exported({ statementId: second.id, 'property-paths': paths });
      expect(file.split('\r\n')).toEqual([
        "actor_name,result_score_raw,'=1+1",
        '"\'=HYPERLINK(""http://evil.example"")",,',
        '',
      ]);
    });

    it('without property-paths a sensible default column set', async () => {
      const plain = newStatement({ result: { score: { raw: 0 }, success: false } });
      await holder.post(plain);
      const [header = '', row = ''] = (await exported({ statementId: plain.id })).split('\r\n');
      const cells = row.split(',');
      const cell = (column: string): string | undefined => cells[header.split(',').indexOf(column)];
      expect(cell('id')).toBe(plain.id);
      expect(cell('actor_mbox')).toBe('mailto:ann@example.org');
      expect(cell('verb_id')).toBe(plain.verb.id);
      expect(cell('result_success')).toBe('false');
      expect(cell('result_score_raw')).toBe('0');
      expect(cell('stored')).toMatch(/^\d{4}-\d\d-\d\dT/);
    });

    it('Accepts the xAPI statement query parameters', async () => {
      const found = async (parameters: Record<string, string>): Promise<string[]> =>
        rows({ verb: verb.id, ...parameters });
      expect(await found({})).toEqual([third.id, second.id, first.id]);
      expect(await found({ ascending: 'true' })).toEqual([first.id, second.id, third.id]);
      expect(await found({ limit: '2' })).toEqual([third.id, second.id]);
      expect(await found({ limit: '0' })).toHaveLength(3);
      expect(await found({ agent: JSON.stringify(agent('first')) })).toEqual([third.id, first.id]);
      expect(await found({ activity: (first.object as { id: string }).id })).toEqual([first.id]);
      expect(await found({ registration })).toEqual([second.id]);
      expect(await found({ since: '2100-01-01T00:00:00Z' })).toEqual([]);
      expect(await found({ until: '2000-01-01T00:00:00Z' })).toEqual([]);
      expect(await rows({ statementId: third.id })).toEqual([third.id]);
      expect(await rows({ statementId: registration })).toEqual([]);
      const display = JSON.stringify([['verb', 'display']]);
      const texts = await rows({ statementId: first.id, format: 'ids', 'property-paths': display });
      expect(texts).toEqual(['']);
    });

    it('has columns with all languages behind those with texts, with language-maps=true', async () => {
      const display = { en: 'one', de: 'eins' };
      const both = newStatement({ verb: { ...verb, display } });
      await holder.post(both);
      const columns = JSON.stringify([['verb', 'display'], ['id']]);
      const parameters = { statementId: both.id, 'property-paths': columns, 'language-maps': 'true' };
      expect(await exported({ ...parameters, language: 'de' })).toBe(
        `verb_display,id,verb_display_map\r\neins,${both.id},"{""en"":""one"",""de"":""eins""}"\r\n`,
      );
      const usual = (await exported({ statementId: both.id, 'language-maps': 'true' })).split('\r\n');
      expect(usual[0]).toMatch(/,verb_display_map,object_definition_name_map$/);
    });

    it('refuses unknown parameters and values that break a rule, and the token stays valid', async () => {
      const oneTimeToken = await oneTime();
      for (const [parameters, path] of [
        [{ 'property-pathes': '[["verb"]]' }, 'property-pathes'],
        [{ 'property-paths': ids, 'property-path': ids }, 'property-path'],
        [{ langauge: 'de' }, 'langauge'],
        [{ preview: 'maybe' }, 'preview'],
        [{ limit: 'many' }, 'limit'],
      ] as const) {
        const answer = await fetchCsv({ token: oneTimeToken, ...parameters });
        expectError(answer, 400);
        expect(parsed(answer)).toMatchObject({ details: [{ path }] });
      }
      expect((await fetchCsv({ token: oneTimeToken, preview: 'true' })).status).toBe(200);
    });

    it('has the merged definitions of Activities in the format canonical', async () => {
      const object = { id: 'http://example.org/activities/canonical' };
      const merged = { ...object, definition: { name: { en: 'Name', fr: 'Nom' } } };
      const [id] = await holder.post(newStatement({ object }), newStatement({ object: merged }));
      const named = {
        statementId: id ?? '',
        'property-paths': '[["object","definition","name"]]',
        language: 'fr',
      };
      expect(await exported(named)).toBe('object_definition_name\r\n\r\n');
      expect(await exported({ ...named, format: 'canonical' })).toBe('object_definition_name\r\nNom\r\n');
    });

    it('takes `property-path`, as the documentation of lrsql calls it', async () => {
      const columns = { 'property-path': '[["verb" "id"]]', limit: '1', verb: verb.id };
      expect(await exported(columns)).toBe(`verb_id\r\n${verb.id}\r\n`);
    });

    it('leaves out what is voided, which is found by its id alone', async () => {
      const gone = newStatement();
      await holder.post(gone);
      await holder.post(voiding(gone.id));
      expect(await rows({ verb: gone.verb.id })).not.toContain(gone.id);
      expect(await rows({ voidedStatementId: gone.id })).toEqual([gone.id]);
    });

    it('CSV file stream of Statements: all of them, over any number of pages', async () => {
      const many = Array.from({ length: 450 }, () =>
        newStatement({ verb: { id: 'http://example.org/verbs/many' } }),
      );
      const before = (await rows({})).length;
      await holder.post(...many);
      const parameters = { verb: 'http://example.org/verbs/many', ascending: 'true' };
      expect(await rows(parameters)).toEqual(many.map(({ id }) => id));
      expect(await rows({ ...parameters, limit: '250' })).toEqual(many.slice(0, 250).map(({ id }) => id));
      expect(await rows({})).toHaveLength(before + 450);
    });

    it('exports at most stmtGetMaxCsv rows', async () => {
      if (!shared) return;
      const other = await lrs.elsewhere({ LRS_STMT_GET_MAX_CSV: '2' });
      for (const query of ['', 'limit=0', 'limit=1000']) {
        const answer = await other.call('GET', '/admin/csv', { token, query });
        expect(answer.body.toString().split('\r\n')).toHaveLength(1 + 2 + 1);
      }
    });

    it('refuses a preview that is larger than a page may be, with a sentence that says what to do', async () => {
      if (!shared) return;
      const other = await lrs.elsewhere({ LRS_STMT_GET_MAX_BYTES: '1024' });
      const query = new URLSearchParams({ preview: 'true' });
      const answer = await other.call('GET', '/admin/csv', { token, query: query.toString() });
      expectError(answer, 400);
      expect(answer.body.toString()).toMatch(/The preview is larger than 1024 bytes .*property-paths/);
      query.set('property-paths', '[["verb","id"]]');
      query.set('limit', '2');
      const narrow = await other.call('GET', '/admin/csv', { token, query: query.toString() });
      expect(narrow.status).toBe(200);
    });

    it('Where the gateway carries no stream a large export is refused with a sentence that says how to narrow it', async () => {
      const text = 'x'.repeat(100_000);
      const big = newStatement({ verb: { id: 'http://example.org/verbs/big' }, result: { response: text } });
      await holder.post(big);
      const once = await oneTime();
      const path = JSON.stringify([['result', 'response']]);
      const wide = JSON.stringify(Array.from({ length: 50 }, () => ['result', 'response']));
      const parameters = { token: once, verb: 'http://example.org/verbs/big' };
      const answer = await fetchCsv({ ...parameters, 'property-paths': wide });
      if (name.includes('adapter')) {
        expect([answer.status, answer.headers['content-length']]).toEqual([200, undefined]);
        expect(answer.body.length).toBeGreaterThan(4_000_000);
      } else {
        expectError(answer, 400);
        expect(answer.body.toString()).toMatch(/since, until, limit/);
        expect((await fetchCsv({ ...parameters, 'property-paths': path })).status).toBe(200);
      }
    });
  });
});
