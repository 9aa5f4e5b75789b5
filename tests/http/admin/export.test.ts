import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, tokenOf } from '../../support/admin-client.ts';
import type { ClientAnswer } from '../../support/gateway-events.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { parsed } from '../../support/lrs-client.ts';
import { newStatement } from '../../support/statement-client.ts';
import { agent, voiding } from '../../support/statements.ts';

interface AuditEvent {
  readonly action: string;
  readonly counts?: object;
  readonly outcome: string;
}

describe.each(administrations)('the export as JSON, on $name', ({ shared, open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  let token: string;
  const verb = { id: 'http://example.org/verbs/exported-as-json' };
  const first = newStatement({ verb, actor: agent('first'), result: { response: 'two\r\nlines' } });
  const second = newStatement({ verb, actor: agent('second') });
  const voided = newStatement({ verb: { id: 'http://example.org/verbs/voided-later' } });

  beforeAll(async () => {
    lrs = await open();
    holder = await keyPairHolder(lrs);
    token = await lrs.login();
    await holder.post(first, second, voided);
    await holder.post(voiding(voided.id));
  });
  afterAll(() => lrs?.close());

  const oneTime = async (): Promise<string> => tokenOf(await lrs.call('GET', '/admin/csv/auth', { token }));
  const fetchExport = (parameters: Record<string, string>, bearer?: string): Promise<ClientAnswer> =>
    lrs.call('GET', '/admin/export', {
      query: new URLSearchParams(parameters).toString(),
      ...(bearer !== undefined && { token: bearer }),
    });
  const exported = async (parameters: Record<string, string>): Promise<ClientAnswer> => {
    const answer = await fetchExport({ token: await oneTime(), ...parameters });
    expect([answer.status, answer.status === 200 ? '' : answer.body.toString()]).toEqual([200, '']);
    return answer;
  };
  const linesOf = (text: string): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const idsOf = (items: readonly unknown[]): string[] => items.map((item) => (item as { id: string }).id);
  const events = async (): Promise<readonly AuditEvent[]> => {
    const answer = await lrs.call('GET', '/admin/audit', { token, query: 'kind=disclosure' });
    const { events } = parsed(answer) as { readonly events: readonly AuditEvent[] };
    return events.filter(({ action }) => action.startsWith('GET /admin/export'));
  };

  it('has a statement in each line, those that the filters let through, without voided ones', async () => {
    const { headers, body } = await exported({ verb: verb.id });
    expect(headers['content-type']).toBe('application/x-ndjson');
    expect(headers['content-disposition']).toMatch(/^attachment/);
    const statements = linesOf(body.toString());
    expect(idsOf(statements)).toEqual([second.id, first.id]);
    expect(statements[1]).toMatchObject({ ...first, stored: expect.any(String) });
    const ascending = { verb: verb.id, ascending: 'true', limit: '1' };
    expect(idsOf(linesOf((await exported(ascending)).body.toString()))).toEqual([first.id]);
    expect((await exported({})).body.toString()).not.toContain(`"id":"${voided.id}","actor"`);
  });

  it('is an array with type=json, an empty one too, and compressed with gzip=true', async () => {
    const array = await exported({ verb: verb.id, type: 'json' });
    expect(array.headers['content-type']).toBe('application/json');
    expect(idsOf(JSON.parse(array.body.toString()))).toEqual([second.id, first.id]);
    const none = await exported({ verb: 'http://example.org/verbs/none', type: 'json' });
    expect(JSON.parse(none.body.toString())).toEqual([]);
    const packed = await exported({ verb: verb.id, gzip: 'true' });
    expect(packed.headers['content-type']).toBe('application/gzip');
    expect(idsOf(linesOf(gunzipSync(packed.body).toString()))).toEqual([second.id, first.id]);
  });

  it('has everything with contents=everything, and no secrets', async () => {
    const { body } = await exported({ contents: 'everything', gzip: 'true' });
    const text = gunzipSync(body).toString();
    const lines = linesOf(text) as Record<string, { readonly id?: string; readonly statements?: number }>[];
    expect(lines[0]?.export).toMatchObject({ format: 'serverless-lrs export', secrets: false });
    expect(lines.at(-1)?.end?.statements).toBe(lines[0]?.export?.statements);
    const statements = lines.flatMap(({ statement }) => (statement === undefined ? [] : [statement.id]));
    expect(statements).toEqual(expect.arrayContaining([first.id, voided.id]));
    expect(lines.some((line) => 'keyPair' in line)).toBe(true);
    expect(text).not.toMatch(/passwordHash|secretKey/);
  });

  it('needs a token, which is good for one download', async () => {
    expectError(await fetchExport({}), 401);
    const once = await oneTime();
    expectError(await fetchExport({ token: once, limit: '-1' }), 400);
    expect((await fetchExport({ token: once, verb: verb.id })).status).toBe(200);
    expectError(await fetchExport({ token: once, verb: verb.id }), 401);
    expect((await fetchExport({ verb: verb.id }, token)).status).toBe(200);
  });

  it.each([
    ['type', { type: 'xml' }],
    ['contents', { contents: 'all' }],
    ['gzip', { gzip: 'yes' }],
    ['verb', { contents: 'everything', verb: verb.id }],
    ['type', { contents: 'everything', type: 'json' }],
    ['preview', { contents: 'everything', preview: 'true' }],
    ['langauge', { langauge: 'de' }],
  ])('refuses a wrong %s', async (path, parameters) => {
    const answer = await fetchExport(parameters as Record<string, string>, token);
    expectError(answer, 400);
    expect(parsed(answer)).toMatchObject({ details: [{ path }] });
  });

  it('is in the audit trail, which tells a preview and an export of everything from a download', async () => {
    const own = { id: `http://example.org/verbs/${randomUUID()}` };
    await holder.post(...Array.from({ length: 12 }, () => newStatement({ verb: own })));
    await exported({ verb: own.id, preview: 'true' });
    await exported({ verb: own.id });
    await exported({ contents: 'everything' });
    const [everything, download, preview] = await events();
    expect(preview).toMatchObject({ action: 'GET /admin/export (preview)', counts: { rows: 10 } });
    expect(download).toMatchObject({
      ...{ action: 'GET /admin/export', counts: { rows: 12 }, outcome: 'done' },
      filters: { verb: own.id },
    });
    expect(everything).toMatchObject({ action: 'GET /admin/export (everything)', outcome: 'done' });
  });

  it('exports at most stmtGetMaxCsv statements', async () => {
    if (!shared) return;
    const other = await lrs.elsewhere({ LRS_STMT_GET_MAX_CSV: '2' });
    const answer = await other.call('GET', '/admin/export', { token });
    expect(linesOf(answer.body.toString())).toHaveLength(2);
  });

  describe('GET /admin/export/size', () => {
    const size = async (parameters: Record<string, string>) => {
      const query = new URLSearchParams(parameters).toString();
      const answer = await lrs.call('GET', '/admin/export/size', { token, query });
      expect(answer.status).toBe(200);
      return parsed(answer);
    };

    it('tells how many statements an export has, and how many bytes', async () => {
      const { body } = await exported({ verb: verb.id });
      expect(await size({ verb: verb.id })).toEqual({ rows: 2, bytes: body.length, more: false });
      expect(await size({ verb: verb.id, limit: '1' })).toMatchObject({ rows: 1, more: false });
      const one = await exported({ statementId: first.id });
      expect(await size({ statementId: first.id })).toEqual({ rows: 1, bytes: one.body.length, more: false });
      expect(await size({ statementId: randomUUID() })).toEqual({ rows: 0, bytes: 0, more: false });
    });

    it('tells it of the whole store', async () => {
      const { body } = await exported({});
      expect(await size({})).toEqual({
        rows: linesOf(body.toString()).length,
        bytes: body.length,
        more: false,
      });
    });

    it('needs a login, and known parameters', async () => {
      expectError(await lrs.call('GET', '/admin/export/size'), 401);
      expectError(await lrs.call('GET', '/admin/export/size', { token, query: 'vreb=x' }), 400);
    });
  });
});
