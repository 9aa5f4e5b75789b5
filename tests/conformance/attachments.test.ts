import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMultipart } from '../../lib/http/multipart.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { parsed } from '../support/lrs-client.ts';
import { openStatementClient, type StatementClient } from '../support/statement-client.ts';

let client: StatementClient;

beforeAll(async () => {
  client = await openStatementClient();
});
afterAll(() => client?.entrance.close());

const sha2 = (content: string): string => createHash('sha256').update(content).digest('hex');

const attachment = (content: string, more: object = {}) => ({
  usageType: 'http://example.org/usage',
  display: { en: 'Essay' },
  contentType: 'text/plain',
  length: Buffer.byteLength(content),
  sha2: sha2(content),
  ...more,
});

const statement = (...attachments: object[]) => ({
  id: randomUUID(),
  actor: { mbox: 'mailto:ann@example.org' },
  verb: { id: 'http://example.org/attached' },
  object: { id: 'http://example.org/activity' },
  ...(attachments.length > 0 && { attachments }),
});

const part = (content: string, hash = sha2(content)): string =>
  `Content-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${hash}\r\n\r\n${content}`;

function postMultipart(statements: object, ...parts: string[]): Promise<ClientAnswer> {
  const first = `Content-Type: application/json\r\n\r\n${JSON.stringify(statements)}`;
  return client.xapi('POST', {
    headers: { 'content-type': 'multipart/mixed; boundary=b' },
    body: `${[first, ...parts].map((each) => `--b\r\n${each}\r\n`).join('')}--b--\r\n`,
  });
}

const get = (id: string, attachments: 'true' | 'false'): Promise<ClientAnswer> =>
  client.xapi('GET', { query: `statementId=${id}&attachments=${attachments}` });

describe('statements sent as application/json (xAPI 1.0.3 Communication 1.5.1)', () => {
  it('are taken without attachments, many at once', async () => {
    const batch = [statement(), statement()];
    const answer = await client.xapi('POST', { body: JSON.stringify(batch) });
    expect([answer.status, parsed(answer)]).toEqual([200, batch.map(({ id }) => id)]);
  });

  it('are taken when each attachment has a fileUrl', async () => {
    const remote = attachment('far', { fileUrl: 'http://example.org/far' });
    const batch = [statement(remote), statement(remote, remote)];
    expect((await client.xapi('POST', { body: JSON.stringify(batch) })).status).toBe(200);
    expect(parsed(await get(batch[1]?.id ?? '', 'false'))).toMatchObject({ attachments: [remote, remote] });
  });

  it('are refused when an attachment has neither fileUrl nor content', async () => {
    const near = statement(attachment('near'));
    expect((await client.xapi('POST', { body: JSON.stringify(near) })).status).toBe(400);
    expect((await get(near.id, 'false')).status).toBe(404);
  });
});

describe('statements sent as multipart/mixed (xAPI 1.0.3 Communication 1.5.2)', () => {
  it('are taken with the content of their attachments, shared ones once', async () => {
    const batch = [statement(attachment('a')), statement(attachment('a'), attachment('b')), statement()];
    expect((await postMultipart(batch, part('b'), part('a'))).status).toBe(200);
  });

  it('are taken without any attachments, or with remote ones only', async () => {
    const remote = attachment('far', { fileUrl: 'http://example.org/far' });
    expect((await postMultipart([statement(), statement(remote)])).status).toBe(200);
  });

  it.each([
    ['no part', []],
    ['a part with another hash', [part('b')]],
    ['a part whose hash is not that of its content', [part('b', sha2('a'))]],
    ['a part too many', [part('a'), part('b')]],
    ['a part without a hash', ['Content-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\n\r\na']],
    ['a part that is encoded', [part('YQ==', sha2('a')).replace('binary', 'base64')]],
    ['a part of another type', [part('a').replace('text/plain', 'text/html')]],
    ['a part with another length', [`Content-Length: 2\r\n${part('a')}`]],
  ])('are refused with %s for an attachment without fileUrl, all of them', async (_, parts) => {
    const batch = [statement(), statement(attachment('a'))];
    const answer = await postMultipart(batch, ...parts);
    expect([answer.status, parsed(answer)]).toMatchObject([400, { error: expect.any(String) }]);
    for (const { id } of batch) expect((await get(id, 'false')).status).toBe(404);
  });
});

describe('the parameter attachments (xAPI 1.0.3 Communication 2.1.3)', () => {
  const sent = statement(attachment('one'), attachment('two'), attachment('one'));

  beforeAll(async () => {
    expect((await postMultipart(sent, part('one'), part('two'))).status).toBe(200);
  });

  it('gives with true the statements as JSON first, then each content as binary with its hash', async () => {
    const list = await client.xapi('GET', { query: 'attachments=true&verb=http://example.org/attached' });
    for (const answer of [await get(sent.id, 'true'), list]) {
      const type = answer.headers['content-type'] ?? '';
      expect(type).toMatch(/^multipart\/mixed; *boundary=/);
      const [first, ...others] = await parseMultipart(type, answer.body);
      expect(first?.headers['content-type']).toMatch(/^application\/json/);
      expect(JSON.parse(first?.content.toString() ?? '')).toBeTypeOf('object');
      expect(others.map(({ content }) => content.toString())).toEqual(expect.arrayContaining(['one', 'two']));
      for (const { headers, content } of others) {
        expect(headers).toMatchObject({
          'content-type': 'text/plain',
          'content-transfer-encoding': 'binary',
          'x-experience-api-hash': sha2(content.toString()),
        });
      }
    }
  });

  it('gives with true multipart/mixed also when there is no attachment', async () => {
    const without = statement();
    await client.xapi('POST', { body: JSON.stringify(without) });
    const answer = await get(without.id, 'true');
    expect(await parseMultipart(answer.headers['content-type'] ?? '', answer.body)).toHaveLength(1);
  });

  it('gives with false application/json and no content', async () => {
    for (const query of ['attachments=false', 'limit=1', `statementId=${sent.id}`]) {
      const answer = await client.xapi('GET', { query });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(parsed(answer)).toBeTypeOf('object');
    }
  });
});
