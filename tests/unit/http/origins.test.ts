import { describe, expect, it } from 'vitest';
import { adminDoor, type Handler, loginDoor, openDoor, xapiDoor } from '../../../lib/http/door.ts';
import { json } from '../../../lib/http/responses.ts';
import { callDoor } from '../../support/call-door.ts';
import { basic, bearer, standInLrs } from '../../support/stand-in-lrs.ts';

const open = standInLrs();
let called = 0;
const action = async () => {
  called += 1;
  return json(200, {});
};

const xapi = { authorization: basic, 'x-experience-api-version': '1.0.3' };
const administration = { authorization: bearer, 'content-type': 'application/json' };
const doors: [string, Handler, Record<string, string>][] = [
  ['of the xAPI', xapiDoor(open, 'statements', { actions: { POST: action } }), xapi],
  ['of the administration', adminDoor(open, action), administration],
  ['of the login', loginDoor(open, action), administration],
  ['for anybody', openDoor(open, action), {}],
];

describe.each(doors)('a door %s', (_, door, headers) => {
  const call = (origin: string, more: object = {}) =>
    callDoor(door, { method: 'POST', body: '{}', headers: { ...headers, origin }, ...more });

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
