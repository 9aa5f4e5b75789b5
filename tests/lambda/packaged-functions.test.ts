import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmulatedFunctions, startFunctions } from '../emulator/functions.ts';
import { recordPrinted } from '../support/disclosure/record.ts';
import { serverEngines, type TestPlace } from '../support/engines.ts';
import { firstAccount, sendTo } from '../support/entrance.ts';
import { connect, type LrsClient, parsed, stringMember } from '../support/lrs-client.ts';
import { databaseSettings } from '../support/server-process.ts';
import { newStatement } from '../support/statement-client.ts';

describe.each(serverEngines)('the packaged functions on $name', (engine) => {
  let place: TestPlace;
  let functions: EmulatedFunctions;
  let client: LrsClient;

  beforeAll(async () => {
    place = await engine.reserve();
    functions = await startFunctions({
      settings: { LRS_LOG_LEVEL: 'ALL', ...databaseSettings(place.options) },
      first: {
        LRS_ADMIN_USER_DEFAULT: firstAccount.username,
        LRS_ADMIN_PASS_DEFAULT: firstAccount.password,
      },
      onOutput: recordPrinted,
    });
    client = await connect({
      send: (request) => sendTo(functions.url, request),
      stage: '',
      close: async () => {},
    });
  });
  afterAll(async () => {
    await functions?.stop();
    await place?.remove();
  });

  it('store and find statements, with an attachment whose bytes are no text', async () => {
    const sent = newStatement();
    expect(
      (await client.xapi('PUT', { query: `statementId=${sent.id}`, body: JSON.stringify(sent) })).status,
    ).toBe(204);
    const content = Buffer.from([0, 13, 10, 255, 254, 128]);
    const sha2 = createHash('sha256').update(content).digest('hex');
    const attachments = [
      {
        usageType: 'http://example.org/use',
        display: { en: 'bytes' },
        contentType: 'image/png',
        length: 6,
        sha2,
      },
    ];
    const boundary = 'the-boundary';
    const head = (more: string) => `--${boundary}\r\nContent-Type: ${more}\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(`${head('application/json')}${JSON.stringify(newStatement({ attachments }))}\r\n`),
      Buffer.from(head(`image/png\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${sha2}`)),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const stored = await client.xapi('POST', {
      headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
      body,
    });
    expect(stored.status).toBe(200);
    const [id] = parsed(stored) as string[];
    const found = await client.xapi('GET', { query: `statementId=${id}&attachments=true` });
    expect(found.body.includes(content)).toBe(true);
    expect(parsed(await client.xapi('GET', { query: 'ascending=true' }))).toMatchObject({
      statements: [{ id: sent.id }, { id }],
    });
  });

  it('serve documents, the administration and the screen', async () => {
    const document = {
      path: '/xapi/activities/profile',
      query: 'activityId=https://example.org/a&profileId=p',
    };
    const put = {
      ...document,
      headers: { 'content-type': 'text/plain', 'if-none-match': '*' },
      body: 'kept',
    };
    expect((await client.xapi('PUT', put)).status).toBe(204);
    expect((await client.xapi('GET', document)).body.toString()).toBe('kept');
    const made = await client.admin('POST', '/admin/account/create', {
      username: 'second-one',
      password: 'An0ther_pass!',
    });
    expect(made.status).toBe(200);
    expect((await client.admin('GET', '/admin/account')).body.toString()).toContain('second-one');
    const screen = await sendTo(functions.url, { method: 'GET', path: '/' });
    expect([screen.status, screen.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('export statements by the URL that streams', async () => {
    const authorised = await client.admin('GET', '/admin/csv/auth');
    const rows = await sendTo(functions.streamingUrl, {
      method: 'GET',
      path: '/admin/csv',
      query: `token=${stringMember(authorised, 'json-web-token')}&property-paths=${encodeURIComponent('[["id"]]')}`,
    });
    expect(rows.status).toBe(200);
    expect(rows.body.toString().trim().split('\n').length).toBeGreaterThan(1);
    const again = await client.admin('GET', '/admin/csv/auth');
    const everything = await sendTo(functions.streamingUrl, {
      method: 'GET',
      path: '/admin/export',
      query: `token=${stringMember(again, 'json-web-token')}&contents=everything&gzip=true`,
    });
    expect([everything.status, everything.headers['content-type']]).toEqual([200, 'application/gzip']);
    const lines = gunzipSync(everything.body).toString().trim().split('\n');
    expect([lines[0], lines.at(-1)]).toEqual([
      expect.stringMatching(/^\{"export":/),
      expect.stringMatching(/^\{"end":/),
    ]);
  });

  it('do in the background function what no request waits for', async () => {
    const outcome = await functions.invoke('background');
    expect(Object.values(outcome as object)).toEqual(
      Array.from(Object.keys(outcome as object), () => 'done'),
    );
  });

  it('are migrated once more without harm, as by each deployment', async () => {
    expect(await functions.invoke('migrate')).toEqual({ migrated: true });
  });
});
