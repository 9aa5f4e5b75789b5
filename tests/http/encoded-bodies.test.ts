import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { type Entrance, firstAccount, serverEntrance } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';

const gzipped = { 'content-encoding': 'gzip' };
const body = gzipSync('{}');

/** Routes that anybody may call and that look at no body. */
const withoutBody = ['/xapi/about'];
const withBody = routes.filter(
  ({ method, path }) => ['PUT', 'POST', 'DELETE'].includes(method) && !withoutBody.includes(path),
);

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  entrance = await serverEntrance('http', {
    LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
    LRS_ENABLE_REACTIONS: 'true',
    LRS_ENABLE_STORES: 'true',
  });
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const expectRefusal = (answer: ClientAnswer): void => {
  expect(answer.status).toBe(415);
  expect(answer.headers['accept-encoding']).toBe('identity');
  expect(parsed(answer)).toMatchObject({
    code: 'unsupported-media-type',
    error: expect.stringMatching(/Content-Encoding/),
  });
};

describe('a request body with a Content-Encoding is refused with 415', () => {
  it.each(withBody.map(({ method, path, access }) => [method, path, access] as const))(
    'by %s %s',
    async (method, path, access) => {
      if (access === 'key-pair') {
        expectRefusal(await client.xapi(method, { path, body, headers: gzipped }));
      } else {
        const login = await client.admin('GET', '/admin/account/renew');
        const token = String(Object(parsed(login))['json-web-token']);
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...gzipped };
        expectRefusal(await entrance.send({ method, path, headers, body }));
      }
    },
  );

  it('in the alternate request syntax, too', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...gzipped };
    expectRefusal(await client.xapi('POST', { query: 'method=GET', headers, body }));
  });

  it('unless it is identity, or there is no body', async () => {
    const identity = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    const path = '/admin/account/login';
    const login = { method: 'POST', path, headers: identity, body: JSON.stringify(firstAccount) };
    expect((await entrance.send(login)).status).toBe(200);
    expect((await client.xapi('GET', { headers: gzipped })).status).toBe(200);
  });
});
