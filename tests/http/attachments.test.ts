import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseMultipart } from '../../lib/http/multipart.ts';
import { type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed, stringMember } from '../support/lrs-client.ts';
import { type StandInS3, startStandInS3 } from '../support/stand-in-s3.ts';
import { newStatement } from '../support/statement-client.ts';

interface Address {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly expires: string;
}

interface Content {
  readonly bytes: Buffer;
  readonly sha2: string;
  readonly length: number;
  readonly contentType: string;
}

const pageBytes = 20_000;
const largest = 1_000_000;
const inlineBytes = 16_384;

let bucket: StandInS3;
let entrance: ServerEntrance;
let writer: LrsClient;
let other: LrsClient;

beforeAll(async () => {
  bucket = await startStandInS3();
  entrance = await serverEntrance('http', {
    ...bucket.env,
    LRS_ATTACHMENT_MAX_BYTES: String(largest),
    LRS_ATTACHMENT_MAX_UPLOADS: '40',
    LRS_STMT_GET_MAX_BYTES: String(pageBytes),
    LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
    LRS_ATTACHMENT_INLINE_BYTES: String(inlineBytes),
  });
  writer = await connect(entrance);
});
afterAll(async () => {
  await entrance.close();
  await bucket.close();
});
beforeEach(async () => {
  other = await connect(entrance);
});

function contentOf(length = 1000): Content {
  const bytes = randomBytes(length);
  const sha2 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, sha2, length, contentType: 'video/mp4' };
}

const announce = (client: LrsClient, { sha2, length, contentType }: Omit<Content, 'bytes'>) =>
  client.xapi('POST', { path: '/attachments', body: JSON.stringify({ sha2, length, contentType }) });

const addressIn = (answer: ClientAnswer): Address => {
  expect(answer.status, answer.body.toString()).toBe(200);
  return JSON.parse(answer.body.toString());
};

/** Sends it as the answer says; fetch makes the header Content-Length itself. */
function send({ method, url, headers }: Address, bytes: Buffer, changed: Record<string, string> = {}) {
  const { 'Content-Length': _, ...rest } = { ...headers, ...changed };
  return fetch(url, { method, headers: rest, body: new Uint8Array(bytes) });
}

async function upload(client: LrsClient, content: Content): Promise<void> {
  const response = await send(addressIn(await announce(client, content)), content.bytes);
  expect(response.status, await response.text()).toBe(200);
}

const described = ({ sha2, length, contentType }: Omit<Content, 'bytes'>, more: object = {}) => ({
  usageType: 'http://example.org/video',
  display: { en: 'Video' },
  sha2,
  length,
  contentType,
  ...more,
});

const describing = (content: Omit<Content, 'bytes'>, more: object = {}) =>
  newStatement({ attachments: [described(content, more)] });

const store = (client: LrsClient, ...statements: object[]) =>
  client.xapi('POST', { body: JSON.stringify(statements) });

const download = (client: LrsClient, sha2: string) => client.xapi('GET', { path: `/attachments/${sha2}` });

async function downloaded(client: LrsClient, sha2: string): Promise<Buffer> {
  const answer = await download(client, sha2);
  expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'no-store']);
  return Buffer.from(await (await fetch(answer.headers.location ?? '')).arrayBuffer());
}

const kept = (): string[] => [...bucket.objects.keys()].filter((key) => key.startsWith('attachments/'));

describe('a large attachment', () => {
  it('is uploaded into the bucket, described by a statement and downloaded', async () => {
    const content = contentOf(100_000);
    const address = addressIn(await announce(writer, content));
    expect(Date.parse(address.expires)).toBeGreaterThan(Date.now());
    expect((await send(address, content.bytes)).status).toBe(200);
    const statement = describing(content);
    expect((await store(writer, statement)).status).toBe(200);
    const answer = await download(writer, content.sha2.toUpperCase());
    const response = await fetch(answer.headers.location ?? '');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, content.contentType]);
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content.bytes);
    const read = await writer.xapi('GET', { query: `statementId=${statement.id}` });
    expect(parsed(read)).toMatchObject(statement);
  });

  it('may be put with its statement, beside attachments whose data comes along', async () => {
    const [large, small] = [contentOf(), contentOf(10)];
    await upload(writer, large);
    const statement = {
      ...describing(large),
      attachments: [described(large), described(small)],
    };
    const boundary = 'b';
    const head = `--${boundary}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(statement)}\r\n`;
    const part = `--${boundary}\r\nContent-Type: video/mp4\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${small.sha2}\r\n\r\n`;
    const put = await writer.xapi('PUT', {
      query: `statementId=${statement.id}`,
      headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
      body: Buffer.concat([Buffer.from(head + part), small.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    });
    expect(put.status, put.body.toString()).toBe(204);
    const read = await writer.xapi('GET', { query: `statementId=${statement.id}&attachments=true` });
    const parts = (await parseMultipart(read.headers['content-type'] ?? '', read.body)).slice(1);
    const contents = parts.map((each) => each.content.toString('hex')).sort();
    expect(contents).toEqual([large, small].map(({ bytes }) => bytes.toString('hex')).sort());
    const direct = await download(writer, small.sha2);
    expect([direct.status, direct.body]).toEqual([200, small.bytes]);
    expect(direct.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': 'attachment',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('is left out of a page that has no room for it, and can be downloaded', async () => {
    const [large, small] = [contentOf(pageBytes + 1), contentOf(pageBytes / 2)];
    await upload(writer, large);
    await upload(writer, small);
    const statements = [describing(large), describing(small)];
    expect((await store(writer, ...statements)).status).toBe(200);
    const read = await writer.xapi('GET', { query: 'limit=2&attachments=true' });
    const [json, ...parts] = await parseMultipart(read.headers['content-type'] ?? '', read.body);
    expect(JSON.parse(json?.content.toString() ?? '').statements).toHaveLength(2);
    expect(parts.map(({ headers }) => headers['x-experience-api-hash'])).toEqual([small.sha2]);
    expect(await downloaded(writer, large.sha2)).toEqual(large.bytes);
  });
});

describe('a large attachment that comes with its statement', () => {
  const sentWith = (content: Content, statement: object, bytes = content.bytes) => {
    const boundary = 'b';
    const head = `--${boundary}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(statement)}\r\n`;
    const part = `--${boundary}\r\nContent-Type: ${content.contentType}\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${content.sha2}\r\n\r\n`;
    return writer.xapi('POST', {
      headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
      body: Buffer.concat([Buffer.from(head + part), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    });
  };

  it('lies in the bucket, comes back with its statement and can be downloaded', async () => {
    const content = contentOf(pageBytes + 1);
    const statement = describing(content);
    const before = kept().length;
    const stored = await sentWith(content, statement);
    expect(stored.status, stored.body.toString()).toBe(200);
    expect(kept()).toHaveLength(before + 1);
    const read = await writer.xapi('GET', { query: `statementId=${statement.id}&attachments=true` });
    const parts = (await parseMultipart(read.headers['content-type'] ?? '', read.body)).slice(1);
    expect(parts.map((part) => part.content)).toEqual([content.bytes]);
    expect(await downloaded(writer, content.sha2)).toEqual(content.bytes);
  });

  it.each([
    ['small', 100],
    ['large', inlineBytes + 1],
  ])('is stored when the type of its part can be no header, and it is %s', async (_size, length) => {
    const contentType = 'video/mp4';
    for (const written of [`${contentType}; x=☃`, `${contentType};${'a'.repeat(9000)}`]) {
      const content = contentOf(length);
      const statement = describing(content);
      const stored = await sentWith({ ...content, contentType: written }, statement);
      expect(stored.status, stored.body.toString()).toBe(200);
      const read = await writer.xapi('GET', { query: `statementId=${statement.id}&attachments=true` });
      const [, part] = await parseMultipart(read.headers['content-type'] ?? '', read.body);
      expect([part?.headers['content-type'], part?.content]).toEqual([contentType, content.bytes]);
    }
  });

  it('is never answered with other bytes than were stored', async () => {
    const content = contentOf(inlineBytes + 1);
    const statement = describing(content);
    const before = new Set(kept());
    expect((await sentWith(content, statement)).status).toBe(200);
    const [key = ''] = kept().filter((each) => !before.has(each));
    const object = bucket.objects.get(key);
    if (object === undefined) throw new Error('there is no object');
    const read = () => writer.xapi('GET', { query: `statementId=${statement.id}&attachments=true` });
    for (const changed of [content.bytes.subarray(1), randomBytes(content.length)]) {
      bucket.objects.set(key, { ...object, content: changed });
      const answer = await read();
      expect([answer.status, parsed(answer)]).toMatchObject([500, { code: 'internal' }]);
    }
    bucket.objects.set(key, object);
    expect((await read()).status).toBe(200);
  });

  it('is verified before it is put there', async () => {
    const content = contentOf(inlineBytes + 1);
    const before = kept().length;
    const answer = await sentWith(content, describing(content), randomBytes(content.length));
    expect([answer.status, answer.body.toString()]).toEqual([
      400,
      expect.stringContaining('content with another hash'),
    ]);
    expect(kept()).toHaveLength(before);
  });

  it('is refused with 503 while the bucket does not answer, and nothing is stored', async () => {
    const content = contentOf(inlineBytes + 1);
    const statement = describing(content);
    bucket.fail(true);
    const answer = await sentWith(content, statement).finally(() => bucket.fail(false));
    expect(answer.status).toBe(503);
    expect((await writer.xapi('GET', { query: `statementId=${statement.id}` })).status).toBe(404);
    expect((await sentWith(content, statement)).status).toBe(200);
  });
});

describe('the address of an upload', () => {
  it('takes no other content, length or type', async () => {
    const content = contentOf();
    const address = addressIn(await announce(writer, content));
    expect((await send(address, randomBytes(content.length))).status).toBe(400);
    expect((await send(address, Buffer.concat([content.bytes, Buffer.alloc(1)]))).status).toBe(403);
    expect((await send(address, content.bytes, { 'Content-Type': 'text/html' })).status).toBe(403);
    const checksum = createHash('sha256').update('').digest('base64');
    expect((await send(address, content.bytes, { 'x-amz-checksum-sha256': checksum })).status).toBe(403);
    const elsewhere = { ...address, url: address.url.replace('/attachments/', '/others/') };
    expect((await send(elsewhere, content.bytes)).status).toBe(403);
    expect(await store(writer, describing(content))).toMatchObject({ status: 400 });
    expect((await send(address, content.bytes)).status).toBe(200);
    expect(await store(writer, describing(content))).toMatchObject({ status: 200 });
  });

  it('is given for another description of the same content, without counting twice', async () => {
    const content = contentOf();
    for (let times = 0; times < 45; times += 1) addressIn(await announce(other, content));
    const changed = { ...content, contentType: 'video/ogg' };
    await upload(other, changed);
    expect(await store(other, describing(changed))).toMatchObject({ status: 200 });
  });

  it('is refused for an attachment that is too large, and beyond the number of uploads', async () => {
    const large = await announce(other, { ...contentOf(1), length: largest + 1 });
    expect([large.status, parsed(large)]).toMatchObject([413, { details: [{ path: 'length' }] }]);
    for (let times = 0; times < 40; times += 1) addressIn(await announce(other, contentOf(20)));
    const many = await announce(other, contentOf(20));
    expect([many.status, parsed(many)]).toMatchObject([
      409,
      { error: expect.stringContaining('attachmentMaxUploads') },
    ]);
  });

  it.each([
    [{}, 'sha2'],
    [{ sha2: 'a'.repeat(40), length: 1, contentType: 'a/b' }, 'sha2'],
    [{ sha2: 'a'.repeat(64), length: 0, contentType: 'a/b' }, 'length'],
    [{ sha2: 'a'.repeat(64), length: 1.5, contentType: 'a/b' }, 'length'],
    [{ sha2: 'a'.repeat(64), length: 1, contentType: 'nothing' }, 'contentType'],
    [{ sha2: 'a'.repeat(64), length: 1, contentType: 'a/b', name: 'x' }, 'name'],
  ])('is refused for %j, which names the place', async (body, path) => {
    const answer = await writer.xapi('POST', { path: '/attachments', body: JSON.stringify(body) });
    expect(answer.status).toBe(400);
    expect(parsed(answer)).toMatchObject({
      details: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });
});

describe('a statement that describes an attachment without its data', () => {
  const refused = async (answer: Promise<ClientAnswer>, problem: string) => {
    const { status, body } = await answer;
    expect([status, JSON.parse(body.toString())]).toMatchObject([
      400,
      {
        error: expect.stringContaining(problem),
        details: [{ path: expect.stringMatching(/^statements\[0\]\.attachments\[0\]$/) }],
      },
    ]);
  };

  it('is refused before the upload is complete, and when somebody else has uploaded it', async () => {
    const content = contentOf();
    const address = addressIn(await announce(writer, content));
    await refused(store(writer, describing(content)), 'have not uploaded it');
    await send(address, content.bytes);
    await refused(store(other, describing(content)), 'have not uploaded it');
    expect((await store(writer, describing(content))).status).toBe(200);
    await refused(store(other, describing(content)), 'have not uploaded it');
  });

  it('is refused when it says another length or type than the upload', async () => {
    const content = contentOf();
    await upload(writer, content);
    await refused(store(writer, describing({ ...content, length: 7 })), 'length 7, but its upload has 1000');
    await refused(
      store(writer, describing({ ...content, contentType: 'text/html' })),
      'another contentType than its upload',
    );
  });

  it('is refused when it is a signature, which could not be verified', async () => {
    const content = { ...contentOf(), contentType: 'application/octet-stream' };
    await upload(writer, content);
    const usageType = 'http://adlnet.gov/expapi/attachments/signature';
    await refused(store(writer, describing(content, { usageType })), 'is a signature');
  });

  it('needs no upload when it has a fileUrl', async () => {
    const content = contentOf();
    const statement = describing(content, { fileUrl: 'https://example.org/video' });
    expect((await store(writer, statement)).status).toBe(200);
    expect((await download(writer, content.sha2)).status).toBe(404);
  });

  it('is refused with 503 while the bucket does not answer, and nothing is stored', async () => {
    const content = contentOf();
    await upload(writer, content);
    const statement = describing(content);
    bucket.fail(true);
    const answer = await store(writer, statement).finally(() => bucket.fail(false));
    expect([answer.status, answer.body.toString()]).toEqual([
      503,
      expect.stringContaining('store of attachments'),
    ]);
    expect((await writer.xapi('GET', { query: `statementId=${statement.id}` })).status).toBe(404);
    expect((await store(writer, statement)).status).toBe(200);
  });
});

describe('a content that several statements carry', () => {
  it('lies in one object as far as they can tell, and stays while one of them is there', async () => {
    const content = contentOf();
    await upload(writer, content);
    await upload(other, content);
    const gone = { mbox: `mailto:gone-${content.sha2.slice(0, 8)}@example.org` };
    const first = { ...describing(content), actor: gone };
    expect((await store(writer, first)).status).toBe(200);
    expect((await store(other, describing(content))).status).toBe(200);
    const erased = await writer.admin('DELETE', '/admin/agents', { 'actor-ifi': `mbox::${gone.mbox}` });
    expect(erased.status, erased.body.toString()).toBe(200);
    expect(await downloaded(writer, content.sha2)).toEqual(content.bytes);
  });

  it('stays when they are voided', async () => {
    const content = contentOf();
    await upload(writer, content);
    const statement = describing(content);
    await store(writer, statement);
    const voiding = newStatement({
      verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
      object: { objectType: 'StatementRef', id: statement.id },
    });
    expect((await store(writer, voiding)).status).toBe(200);
    expect(await downloaded(writer, content.sha2)).toEqual(content.bytes);
  });

  it('can not be downloaded any more when the last of them is erased', async () => {
    const content = contentOf();
    await upload(writer, content);
    const gone = { mbox: `mailto:gone-${content.sha2.slice(0, 8)}@example.org` };
    await store(writer, { ...describing(content), actor: gone });
    expect((await download(writer, content.sha2)).status).toBe(302);
    await writer.admin('DELETE', '/admin/agents', { 'actor-ifi': `mbox::${gone.mbox}` });
    expect((await download(writer, content.sha2)).status).toBe(404);
    expect(await store(writer, describing(content))).toMatchObject({ status: 400 });
  });
});

describe('downloads and uploads', () => {
  it('by an operator are in the audit trail, with the hash and not with it in the action', async () => {
    const content = contentOf();
    const asked = async (method: string, path: string, more: object = {}) => {
      const login = await writer.admin('GET', '/admin/account/renew');
      const headers = { 'x-lrs-operator': `Bearer ${stringMember(login, 'json-web-token')}` };
      return writer.xapi(method, { path, headers, ...more });
    };
    const { sha2, length, contentType } = content;
    const body = JSON.stringify({ sha2, length, contentType });
    await send(addressIn(await asked('POST', '/attachments', { body })), content.bytes);
    await store(writer, describing(content));
    expect((await asked('GET', `/attachments/${sha2}`)).status).toBe(302);
    const trail = parsed(await writer.admin('GET', '/admin/audit')) as { readonly events: readonly object[] };
    expect(trail.events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'POST /attachments', kind: 'change', subject: sha2, status: 200 }),
        expect.objectContaining({
          action: 'GET /attachments/{sha2}',
          kind: 'disclosure',
          subject: sha2,
          status: 302,
        }),
      ]),
    );
  });

  it('need the scopes of reading and writing statements', async () => {
    const [reads, writes, mine] = [
      await connect(entrance, ['statements/read']),
      await connect(entrance, ['statements/write']),
      await connect(entrance, ['statements/write', 'statements/read/mine']),
    ];
    const [content, own] = [contentOf(), contentOf()];
    expect((await announce(reads, content)).status).toBe(403);
    await upload(writes, content);
    expect((await store(writes, describing(content))).status).toBe(200);
    expect((await download(writes, content.sha2)).status).toBe(403);
    expect(await downloaded(reads, content.sha2)).toEqual(content.bytes);
    expect((await download(mine, content.sha2)).status).toBe(404);
    await upload(mine, own);
    await store(mine, describing(own));
    expect(await downloaded(mine, own.sha2)).toEqual(own.bytes);
  });

  it('refuse a path that is no hash, and one that nobody carries', async () => {
    expect((await download(writer, 'abc')).status).toBe(400);
    expect((await download(writer, 'a'.repeat(64))).status).toBe(404);
  });

  it('refuse an announcement that is longer than any has to be, also in the alternate request syntax', async () => {
    const body = JSON.stringify({ ...contentOf(), bytes: undefined, unknown: 'x'.repeat(65_536) });
    const form = new URLSearchParams({ content: body, 'Content-Type': 'application/json' });
    const answers = [
      await writer.xapi('POST', { path: '/attachments', body }),
      await writer.xapi('POST', {
        path: '/attachments?method=POST',
        body: form.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(413);
      expect(stringMember(answer, 'error')).toContain('webserver.maxAdminBodyBytes');
    }
  });

  it('are not found without a bucket', async () => {
    const without = await serverEntrance('http');
    const client = await connect(without);
    const answers = [await announce(client, contentOf()), await download(client, 'a'.repeat(64))];
    await without.close();
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.body.toString()).toContain('lrs.attachmentBucket');
  });

  it('leave signed statements as they are, whose signatures come along', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { CompactSign } = await import('jose');
    const payload = newStatement({});
    const jws = await new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'RS256' })
      .sign(privateKey);
    const bytes = Buffer.from(jws);
    const sha2 = createHash('sha256').update(bytes).digest('hex');
    const usageType = 'http://adlnet.gov/expapi/attachments/signature';
    const display = { en: 'Signature' };
    const contentType = 'application/octet-stream';
    const statement = {
      ...payload,
      attachments: [{ usageType, display, contentType, length: bytes.length, sha2 }],
    };
    const body = `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(statement)}\r\n--b\r\nContent-Type: ${contentType}\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${sha2}\r\n\r\n${jws}\r\n--b--\r\n`;
    const headers = { 'content-type': 'multipart/mixed; boundary=b' };
    const answer = await writer.xapi('POST', { headers, body });
    expect(answer.status, answer.body.toString()).toBe(200);
  });
});

it('every object of the bucket is that of an upload, under an id of its own', () => {
  for (const key of kept()) expect(key).toMatch(/^attachments\/[0-9a-f-]{36}$/);
  expect(kept().length).toBeGreaterThan(5);
});
