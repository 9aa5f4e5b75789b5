import { afterAll, describe, expect, it } from 'vitest';
import { createHandlers } from '../../../functions/index.ts';
import type { GatewayEvent } from '../../../lib/http/gateways/index.ts';
import { clientAnswer } from '../../support/gateway-events.ts';
import { screenEntrances, screenFolder } from '../../support/screen-entrances.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

const { folder, remove } = screenFolder();
const handlers = createHandlers(standInLrs(), { screen: folder });
afterAll(remove);

/** Where a browser that was at the address goes. */
const target = (location: string | undefined, address: string): string =>
  String(new URL(location ?? 'about:blank', `https://lrs.example.org${address}`)).slice(
    'https://lrs.example.org'.length,
  );

/** The events of a call of a stage, of both kinds of gateway that have stages. */
const staged = (address: string, path: string, query = ''): GatewayEvent[] => [
  {
    version: '2.0',
    rawPath: address,
    rawQueryString: query,
    isBase64Encoded: false,
    requestContext: { stage: 'prod', http: { method: 'GET', sourceIp: '203.0.113.7' } },
  },
  {
    httpMethod: 'GET',
    path,
    headers: {},
    multiValueHeaders: {},
    queryStringParameters: query === '' ? null : Object.fromEntries(new URLSearchParams(query)),
    multiValueQueryStringParameters: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { path: address },
  },
];

describe('the address of the screen', () => {
  it('of a stage ends in a slash, so that its relative addresses are right: without, the answer leads there', async () => {
    for (const event of staged('/prod', '/', 'code=a%26b&state=c')) {
      const { status, headers, body } = clientAnswer(await handlers.getScreen(event));
      expect([status, headers['cache-control'], body.length]).toEqual([302, 'no-store', 0]);
      expect(target(headers.location, '/prod')).toBe('/prod/?code=a%26b&state=c');
      expect(target(headers.location, '/proxied/prod')).toBe('/proxied/prod/?code=a%26b&state=c');
    }
    for (const event of staged('/prod/', '/')) {
      expect(clientAnswer(await handlers.getScreen(event)).status).toBe(200);
    }
  });

  it('leads to no other host, whatever a gateway calls its stage', async () => {
    for (const address of ['/https:', '//elsewhere.example', '/javascript:alert(1)']) {
      const [, event] = staged(address, '/');
      if (event === undefined) throw new Error('there is no such event');
      const { headers } = clientAnswer(await handlers.getScreen(event));
      const { host, protocol } = new URL(headers.location ?? '', 'https://lrs.example.org/prod');
      expect([host, protocol]).toEqual(['lrs.example.org', 'https:']);
    }
  });

  it('of a file may have a stage before it', async () => {
    for (const event of staged('/prod/assets/index-1a2b.js', '/assets/index-1a2b.js')) {
      expect(clientAnswer(await handlers.getScreenFile(event)).status).toBe(200);
    }
  });

  it('that lrsql has leads to it, under a stage and behind a proxy too', async () => {
    for (const event of staged('/prod/admin/ui', '/admin/ui')) {
      const { status, headers } = clientAnswer(await handlers.findScreen(event));
      expect(status).toBe(302);
      expect(target(headers.location, '/prod/admin/ui')).toBe('/prod/');
      expect(target(headers.location, '/admin/ui')).toBe('/');
      expect(target(headers.location, '/learning/admin/ui')).toBe('/learning/');
    }
  });

  const lrsqlAddresses = [
    ['/admin', ''],
    ['/admin/', ''],
    ['/admin/ui', ''],
    ['/admin/ui/', ''],
    ['/admin/ui/credentials', '#/credentials'],
    ['/admin/ui/accounts', '#/accounts'],
    ['/admin/ui/accounts/password', '#/accounts'],
    ['/admin/ui/browser', '#/statements'],
    ['/admin/ui/status', ''],
    ['/admin/ui/data-management', '#/erase'],
    ['/admin/ui/reactions', '#/reactions'],
    ['/admin/ui/reactions/new', '#/reactions'],
    ['/admin/ui/reactions/0c6f3a52-2b5c-4f6e-9b6e-1f2a3b4c5d6e/edit', '#/reactions'],
    ['/admin/ui/not-found', ''],
    ['/admin/ui//credentials', ''],
    ['/admin/ui/__proto__', ''],
    ['/admin/ui/%2F%2Felsewhere.example', ''],
  ] as const;

  it.each(screenEntrances)(
    'that lrsql has for a page leads to the same page of this screen, below whatever path a proxy has, through %s',
    async (_, open) => {
      const entrance = await open({ folder, env: { LRS_URL_PREFIX: '/lrs', LRS_PROXY_PATH: '/learning' } });
      try {
        for (const [path, fragment] of lrsqlAddresses) {
          for (const method of ['GET', 'HEAD']) {
            const { status, headers, body } = await entrance.send({ method, path, query: 'code=a&state=b' });
            expect([path, status, body.length]).toEqual([path, 302, 0]);
            expect(headers).toMatchObject({
              'cache-control': 'no-store',
              'x-content-type-options': 'nosniff',
            });
            const { location } = headers;
            expect(target(location, path)).toBe(`/?code=a&state=b${fragment}`);
            expect(target(location, `/learning${path}`)).toBe(`/learning/?code=a&state=b${fragment}`);
          }
        }
      } finally {
        await entrance.close();
      }
    },
  );

  it.each(screenEntrances)(
    'that lrsql has is nothing while the screen is switched off, through %s',
    async (_, open) => {
      const entrance = await open({ folder, env: { LRS_ENABLE_ADMIN_UI: 'false' } });
      try {
        for (const [path] of lrsqlAddresses) {
          expect((await entrance.send({ method: 'GET', path })).status).toBe(404);
        }
      } finally {
        await entrance.close();
      }
    },
  );

  it.each(screenEntrances)(
    'is free although the prefix of the xAPI is /assets, through %s',
    async (_, open) => {
      const entrance = await open({ folder, env: { LRS_URL_PREFIX: '/assets' } });
      const get = (path: string) => entrance.send({ method: 'GET', path });
      try {
        expect((await get('/')).status).toBe(200);
        expect((await get('/assets/index-1a2b.js')).status).toBe(200);
        expect(JSON.parse((await get('/assets/about')).body.toString())).toHaveProperty('version');
      } finally {
        await entrance.close();
      }
    },
  );
});
