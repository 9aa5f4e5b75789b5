import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverEntrance } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { connect, type LrsClient } from '../support/lrs-client.ts';

let close = async (): Promise<void> => {};
let client: LrsClient;

beforeAll(async () => {
  const entrance = await serverEntrance('http');
  close = entrance.close;
  client = await connect(entrance);
});
afterAll(() => close());

const path = '/xapi/activities/profile';
const placeOf = (profileId: string): string =>
  String(new URLSearchParams({ activityId: 'http://example.com/chess', profileId }));

const bodyOf = (length: number): string => JSON.stringify('é'.repeat((length - 2) / 2));

interface Kept {
  readonly profileId: string;
  readonly type?: string;
  readonly body?: string | Buffer;
}

/** Keeps a profile and gives how it is read. */
async function keep({ profileId, type = 'application/json', body = bodyOf(2000) }: Kept) {
  const query = placeOf(profileId);
  const kept = await client.xapi('PUT', {
    path,
    query,
    body,
    headers: { 'content-type': type, 'if-none-match': '*' },
  });
  expect(kept.status).toBe(204);
  return (headers: Record<string, string> = {}, method = 'GET'): Promise<ClientAnswer> =>
    client.xapi(method, { path, query, headers });
}

const decoders = { gzip: gunzipSync, br: brotliDecompressSync };

describe('the Node adapter', () => {
  it.each(Object.entries(decoders))('compresses by %s what the client accepts so', async (coding, decode) => {
    const read = await keep({ profileId: coding });
    const { status, headers, body } = await read({ 'accept-encoding': coding });
    expect([status, headers['content-encoding']]).toEqual([200, coding]);
    expect(headers['content-length']).toBe(String(body.length));
    expect(body.length).toBeLessThan(200);
    expect(decode(body).toString('utf8')).toBe(bodyOf(2000));
  });

  it('sends the bytes as they are to a client that accepts no coding, and tells caches that others get it otherwise', async () => {
    const read = await keep({ profileId: 'plain' });
    for (const headers of [{}, { 'accept-encoding': 'gzip;q=0' }]) {
      const answer = await read(headers);
      expect(answer.body.toString('utf8')).toBe(bodyOf(2000));
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.headers.vary).toBe('Origin, Accept-Encoding');
      expect(answer.headers.etag).toMatch(/^"[0-9a-f]{40}"$/);
    }
  });

  it.each([
    { profileId: 'at the limit', body: bodyOf(1024), coding: 'gzip' },
    { profileId: 'below the limit', body: bodyOf(1022), coding: undefined },
    { profileId: 'text', type: 'text/csv; charset=utf-8', coding: 'gzip' },
    { profileId: 'a kind of JSON', type: 'application/ld+json', coding: 'gzip' },
    { profileId: 'a picture', type: 'image/png', body: Buffer.alloc(2000), coding: undefined },
    { profileId: 'an archive', type: 'application/zip', body: Buffer.alloc(2000), coding: undefined },
    { profileId: 'almost JSON', type: 'application/json-seq', coding: undefined },
  ])('$profileId: $coding', async ({ coding, ...kept }) => {
    const read = await keep(kept);
    const { headers } = await read({ 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe(coding);
    expect(headers.vary).toBe(coding === undefined ? 'Origin' : 'Origin, Accept-Encoding');
  });

  it('answers HEAD with the headers of GET, but without the length that it does not know (xAPI 1.0.3 Communication 1.1)', async () => {
    const read = await keep({ profileId: 'head' });
    const wanted = { 'accept-encoding': 'br' };
    const [get, head] = [await read(wanted), await read(wanted, 'HEAD')];
    const { date, 'x-request-id': ownId } = head.headers;
    const ofGet = { ...get.headers, date, 'x-request-id': ownId };
    expect({ ...head.headers, 'content-length': get.headers['content-length'] }).toEqual(ofGet);
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, undefined]);
  });

  it('makes the ETag of a compressed answer weak, and conditions understand it', async () => {
    const read = await keep({ profileId: 'tag' });
    const strong = (await read()).headers.etag ?? '';
    const compressed = await read({ 'accept-encoding': 'gzip' });
    expect(compressed.headers.etag).toBe(`W/${strong}`);
    const unchanged = await read({ 'accept-encoding': 'gzip', 'if-none-match': `W/${strong}` });
    expect([unchanged.status, unchanged.headers.etag]).toEqual([304, `W/${strong}`]);
    expect((await read({ 'if-none-match': strong })).headers.etag).toBe(strong);
    const changed = await client.xapi('PUT', {
      path,
      query: placeOf('tag'),
      body: '{}',
      headers: { 'if-match': `W/${strong}` },
    });
    expect(changed.status).toBe(204);
  });

  it('compresses pages of statements and leaves those with attachments as they are', async () => {
    const statement = {
      actor: { mbox: 'mailto:ada@example.com' },
      verb: { id: 'http://example.com/tried' },
      object: { id: 'http://example.com/chess' },
    };
    await client.xapi('POST', { body: JSON.stringify(Array.from({ length: 20 }, () => statement)) });
    const headers = { 'accept-encoding': 'gzip' };
    const page = await client.xapi('GET', { headers });
    expect(JSON.parse(gunzipSync(page.body).toString('utf8')).statements).toHaveLength(20);
    const parts = await client.xapi('GET', { headers, query: 'attachments=true' });
    expect(parts.headers['content-type']).toMatch(/^multipart\/mixed/);
    expect(parts.headers['content-encoding']).toBeUndefined();
  });
});
