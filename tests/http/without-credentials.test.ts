import { describe, expect, it } from 'vitest';
import { createHandlers } from '../../functions/index.ts';
import { createRouter } from '../../functions/router.ts';
import { callHandler, jsonOf } from '../support/call-handler.ts';
import type { ClientRequest } from '../support/gateway-events.ts';
import { standInLrs } from '../support/stand-in-lrs.ts';

const route = createRouter(createHandlers(standInLrs()), '/xapi');
const call = (method: string, path: string, request: Partial<ClientRequest> = {}) =>
  callHandler(route(method, path), { method, path, ...request });

const versions = { version: ['1.0.3', '2.0.0'] };

describe('/xapi/about (xAPI 1.0.3 Communication 2.8)', () => {
  it('is answered in the alternate request syntax, without credentials and with any version', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['', 'X-Experience-API-Version=0.95', 'Authorization=none']) {
      const answer = await call('POST', '/xapi/about', { query: 'method=GET', headers, body });
      expect([answer.status, jsonOf(answer)]).toEqual([200, versions]);
    }
  });

  it.each<[string, Partial<ClientRequest>, number]>([
    ['a parameter', { method: 'GET', query: 'a=1' }, 400],
    ['a parameter of the form', { method: 'POST', query: 'method=GET', body: 'a=1' }, 400],
    ['a parameter beside method', { method: 'POST', query: 'method=GET&a=1' }, 400],
    ['another method in the form', { method: 'POST', query: 'method=DELETE' }, 405],
    ['POST', { method: 'POST', body: '{}' }, 405],
    ['PUT', { method: 'PUT' }, 405],
  ])('refuses %s', async (_, request, status) => {
    expect((await call(request.method ?? '', '/xapi/about', request)).status).toBe(status);
  });
});

describe('/admin/env', () => {
  it('takes no body or a JSON object, and nothing else', async () => {
    const get = (body?: string) => call('GET', '/admin/env', body === undefined ? {} : { body });
    expect((await get()).status).toBe(200);
    expect((await get('{}')).status).toBe(200);
    for (const body of ['[]', 'null', '{', 'text']) {
      const answer = await get(body);
      expect([answer.status, jsonOf(answer)]).toMatchObject([400, { error: expect.any(String) }]);
    }
  });
});

describe('a path where nothing is', () => {
  it('says where to look', async () => {
    expect(jsonOf(await call('GET', '/nothing'))).toMatchObject({
      error: expect.stringMatching(/nothing at \/nothing\..*\/xapi\/about.*README\.md/),
    });
  });
});
