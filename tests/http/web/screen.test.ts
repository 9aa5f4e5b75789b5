import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entrance } from '../../support/entrance.ts';
import { parsed } from '../../support/lrs-client.ts';
import { screenEntrances, screenFiles, screenFolder } from '../../support/screen-entrances.ts';

/** Of the page with this nonce, or of a file. */
const policy = (nonce?: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const security = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};
const ofFile = { ...security, 'content-security-policy': policy() };
const nonceIn = (page: Buffer): string => /nonce="([^"]*)"/.exec(page.toString())?.[1] ?? '';
const codings = [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const;
const forever = 'public, max-age=31536000, immutable';

describe.each(screenEntrances)('the screen through %s', (_, open) => {
  const { folder, remove } = screenFolder();
  let entrance: Entrance;

  beforeAll(async () => {
    entrance = await open({ folder });
  });
  afterAll(async () => {
    await entrance?.close();
    remove();
  });

  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    entrance.send({ method, path, headers });

  it('is a page with a nonce that nobody keeps and that is another one each time', async () => {
    const answers = [await send('/'), await send('/')];
    for (const { status, headers, body } of answers) {
      const nonce = nonceIn(body);
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      expect([status, body.toString()]).toEqual([200, screenFiles.page.replaceAll('%NONCE%', nonce)]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy(nonce),
        ...security,
      });
    }
    expect(new Set(answers.map(({ body }) => nonceIn(body))).size).toBe(2);
  });

  it('has files that are kept for ever, byte for byte', async () => {
    const script = await send('/assets/index-1a2b.js');
    expect([script.status, script.body.toString()]).toEqual([200, screenFiles.script]);
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': forever,
      vary: 'Accept-Encoding',
      ...ofFile,
    });
    const picture = await send('/assets/logo-1a2b.png', { 'accept-encoding': 'br, gzip' });
    expect([picture.status, picture.body]).toEqual([200, screenFiles.picture]);
    expect(picture.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': forever });
    expect(picture.headers).not.toHaveProperty('content-encoding');
  });

  it.each(codings)(
    'has files that come compressed by %s to a client that takes it',
    async (coding, decode) => {
      const { status, headers, body } = await send('/assets/index-1a2b.js', { 'accept-encoding': coding });
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding', ...ofFile });
      expect(decode(body).toString()).toBe(screenFiles.script);
    },
  );

  it.each(['/assets/index-1a2b.js', '/assets/logo-1a2b.png'])(
    'answers HEAD %s as GET, without the body',
    async (path) => {
      for (const coding of ['br', 'identity']) {
        const get = await send(path, { 'accept-encoding': coding });
        const head = await send(path, { 'accept-encoding': coding }, 'HEAD');
        const { date: _, 'x-request-id': __, ...expected } = get.headers;
        const length = { 'content-length': String(get.body.length) };
        expect(head.headers).toMatchObject({ ...expected, ...length });
        expect([head.status, head.body.length]).toEqual([200, 0]);
      }
    },
  );

  it('answers HEAD / as GET, without the body', async () => {
    const get = await send('/');
    const head = await send('/', {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(get.body.length));
    expect(Object.keys(get.headers).filter((name) => !(name in head.headers))).toEqual([]);
  });

  it.each([
    'nothing.js',
    'index-1a2b.js.br',
    'private.pem',
    'constructor',
    'deep.js',
    '%00.js',
    `${'a'.repeat(2000)}.js`,
    '..%2f..%2fprivate.js',
    '%2e%2e%2f%2e%2e%2fprivate.js',
    '..%5c..%5cprivate.js',
    '%2e%2e',
    'deep.js%2fprivate.js',
    '%252e%252e%252fprivate.js',
  ])('has no file %s, and no cache keeps that', async (name) => {
    const { status, headers, body } = await send(`/assets/${name}`);
    expect(status, body.toString()).toBe(404);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(JSON.parse(body.toString())).toEqual({
      error: expect.stringMatching(/no such file/),
      code: 'not-found',
    });
  });

  it.each([
    '/assets/../../private.js',
    '/assets/deep.js/private.js',
    '/../private.js',
    '/assets/',
    '/assets',
  ])('has nothing at %s', async (path) => {
    const answer = await send(path);
    expect([answer.status, parsed(answer)]).toEqual([
      404,
      { error: expect.stringMatching(/There is nothing at/), code: 'not-found' },
    ]);
  });

  it('is only read: other methods are 405', async () => {
    for (const path of ['/', '/assets/index-1a2b.js', '/admin', '/admin/', '/admin/ui', '/admin/ui/a/b']) {
      const { status, headers } = await send(path, {}, 'POST');
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  it('is switched off by a setting that the answer names', async () => {
    const off = await open({ folder, env: { LRS_ENABLE_ADMIN_UI: 'false' } });
    try {
      for (const path of ['/', '/assets/index-1a2b.js', '/admin/ui']) {
        const answer = await off.send({ method: 'GET', path });
        expect([answer.status, answer.headers['cache-control'], parsed(answer)]).toEqual([
          404,
          'no-store',
          {
            error: 'The admin screen is switched off: set webserver.enableAdminUi to true to have it.',
            code: 'not-found',
          },
        ]);
      }
    } finally {
      await off.close();
    }
  });
});

describe('a screen that is not built', () => {
  const { folder, remove } = screenFolder();
  afterAll(remove);

  it.each([
    ['a folder without the page', () => rmSync(join(folder, 'index.html'))],
    ['no folder', () => rmSync(folder, { recursive: true })],
  ])('is 404 that says how to build it: %s', async (_, lose) => {
    lose();
    const [first] = screenEntrances;
    const entrance = await first?.[1]({ folder });
    const answer = await entrance?.send({ method: 'GET', path: '/' });
    await entrance?.close();
    expect([answer?.status, JSON.parse(String(answer?.body))]).toEqual([
      404,
      { error: expect.stringMatching(/not built: `npm run build`/), code: 'not-found' },
    ]);
  });
});
