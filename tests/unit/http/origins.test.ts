import { describe, expect, it } from 'vitest';
import {
  adminHandler,
  type Handler,
  loginHandler,
  openHandler,
  xapiHandler,
} from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { callHandler } from '../../support/call-handler.ts';
import { basic, bearer, standInLrs } from '../../support/stand-in-lrs.ts';

const open = standInLrs();
let called = 0;
const action = async () => {
  called += 1;
  return json(200, {});
};

const xapi = { authorization: basic, 'x-experience-api-version': '1.0.3' };
const administration = { authorization: bearer, 'content-type': 'application/json' };
const handlers: [string, Handler, Record<string, string>][] = [
  ['of the xAPI', xapiHandler(open, 'statements', { actions: { POST: action } }), xapi],
  ['of the administration', adminHandler(open, action), administration],
  ['of the login', loginHandler(open, action), administration],
  ['for anybody', openHandler(open, action), {}],
];

describe.each(handlers)('a handler %s', (_, handler, headers) => {
  const call = (origin: string, more: object = {}) =>
    callHandler(handler, { method: 'POST', body: '{}', headers: { ...headers, origin }, ...more });

  it('does nothing for a page of an origin that is not allowed, and grants it nothing', async () => {
    called = 0;
    const answer = await call('https://evil.example');
    expect([answer.status, called]).toEqual([403, 0]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('answers a page of an allowed origin', async () => {
    called = 0;
    const answer = await call('http://localhost:8080');
    expect([answer.status, called]).toEqual([200, 1]);
    expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:8080');
  });

  it.each([{ path: '/xapi/%E0%A4%A' }, { query: 'a=%zz' }])(
    'grants nothing where the request fails before its origin is looked at: %j',
    async (broken) => {
      const answer = await call('https://evil.example', broken);
      expect(answer.status).toBe(400);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers.vary).toBe('Origin');
    },
  );
});
