import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, maxBodyBytes, serverEntrance } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  entrance = await serverEntrance('http');
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const agent = JSON.stringify({ mbox: 'mailto:ann@example.org' });
const activityId = 'http://example.org/activity';
const json = { 'content-type': 'application/json' };

const queries = {
  statements: {},
  'activities/state': { activityId, agent },
  agents: { agent },
  activities: { activityId },
  'agents/profile': { agent },
  'activities/profile': { activityId },
  about: {},
} as const satisfies Record<string, Record<string, string>>;

const resources = Object.entries(queries);

function call(
  method: string,
  resource: string,
  more: { query?: Record<string, string>; headers?: Record<string, string>; body?: string } = {},
): Promise<ClientAnswer> {
  const { query = {}, ...rest } = more;
  return client.xapi(method, {
    path: `/xapi/${resource}`,
    query: new URLSearchParams(query).toString(),
    ...rest,
  });
}

describe.each(resources)('the resource %s', (resource, query) => {
  it('answers GET with JSON (xAPI 1.0.3 Communication 2)', async () => {
    const answer = await call('GET', resource, { query });
    expect([answer.status, parsed(answer)]).toEqual([200, expect.any(Object)]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('answers HEAD with the same headers and no body (xAPI 1.0.3 Communication 1.1)', async () => {
    const names = ['content-type', 'content-length', 'etag', 'last-modified', 'x-experience-api-version'];
    const [get, head] = [await call('GET', resource, { query }), await call('HEAD', resource, { query })];
    expect([head.status, head.body.length]).toEqual([get.status, 0]);
    expect(names.map((name) => head.headers[name])).toEqual(names.map((name) => get.headers[name]));
  });

  it('names the latest patch of the version in every answer, errors included (xAPI 1.0.3 Communication 3.3)', async () => {
    for (const [sent, answered] of [
      ['1.0', '1.0.3'],
      ['1.0.0', '1.0.3'],
      ['1.0.3', '1.0.3'],
      ['2.0.0', '2.0.0'],
    ] as const) {
      const headers = { 'x-experience-api-version': sent };
      const answers = [
        await call('GET', resource, { query, headers }),
        await call('GET', resource, { query: { ...query, unknown: 'x' }, headers }),
        await call('GET', resource, { query, headers: { ...headers, authorization: 'Basic eDp5' } }),
      ];
      expect(answers.map((answer) => answer.headers['x-experience-api-version'])).toEqual(
        Array(3).fill(answered),
      );
    }
    for (const [method, path] of [
      ['PATCH', resource],
      ['GET', `${resource}/nothing`],
    ] as const) {
      const answer = await call(method, path);
      expect([404, 405]).toContain(answer.status);
      expect(answer.headers['x-experience-api-version']).toMatch(/^(1\.0\.3|2\.0\.0)$/);
    }
  });
});

describe.each(resources.filter(([resource]) => resource !== 'about'))(
  'the version header at %s',
  (resource, query) => {
    it.each(['0.9', '0.95', '1.1.0', '1.1', '3.0.0', ''])(
      '%j is refused with 400 and a reason (xAPI 1.0.3 Communication 3.3)',
      async (sent) => {
        const answer = await call('GET', resource, { query, headers: { 'x-experience-api-version': sent } });
        expect([answer.status, parsed(answer)]).toEqual([
          400,
          {
            error: expect.stringMatching(/version/i),
            code: 'invalid',
            details: [expect.objectContaining({ section: 'xAPI 1.0.3 Communication 3.3' })],
          },
        ]);
        expect(answer.headers['x-experience-api-version']).toBeDefined();
      },
    );

    it.each(['1.0', '1.0.0', '1.0.2', '1.0.9'])(
      '%s is taken (xAPI 1.0.3 Communication 3.3)',
      async (sent) => {
        const answer = await call('GET', resource, { query, headers: { 'x-experience-api-version': sent } });
        expect(answer.status).toBe(200);
      },
    );

    it('is needed (xAPI 1.0.3 Communication 3.3)', async () => {
      const path = `/xapi/${resource}`;
      const answer = await entrance.send({
        method: 'GET',
        path,
        query: new URLSearchParams(query).toString(),
      });
      expect([answer.status, parsed(answer)]).toEqual([
        400,
        {
          error: expect.stringMatching(/version/i),
          code: 'invalid',
          details: [expect.objectContaining({ section: 'xAPI 1.0.3 Communication 3.3' })],
        },
      ]);
    });
  },
);

describe('credentials (xAPI 1.0.3 Communication 4)', () => {
  const refused = resources.filter(([resource]) => resource !== 'about');

  it.each(refused)('that are not known do not open %s', async (resource, query) => {
    const answer = await call('GET', resource, { query, headers: { authorization: `Basic ${btoa('a:b')}` } });
    expect([answer.status, parsed(answer)]).toEqual([
      401,
      { error: expect.any(String), code: 'unauthenticated' },
    ]);
  });

  it.each(refused)('without permission are answered 403 at %s', async (resource, query) => {
    const powerless = await connect(entrance, []);
    const path = `/xapi/${resource}`;
    const answer = await powerless.xapi('GET', { path, query: new URLSearchParams(query).toString() });
    expect([answer.status, parsed(answer)]).toEqual([403, { error: expect.any(String), code: 'forbidden' }]);
  });
});

describe('the About resource (xAPI 1.0.3 Communication 2.8)', () => {
  it('has the latest version of each major one, and nothing more', async () => {
    expect(parsed(await call('GET', 'about'))).toEqual({ version: ['1.0.3', '2.0.0'] });
  });

  it.each(['0.9', '1.1.0', 'x', ''])('is answered whatever the version: %j', async (sent) => {
    const answer = await call('GET', 'about', { headers: { 'x-experience-api-version': sent } });
    expect(answer.status).toBe(200);
  });
});

describe('text', () => {
  it('is UTF-8 in both directions (xAPI 1.0.3 Communication 1.4)', async () => {
    const name = 'Łukasz 😀 \u0301';
    const query = { activityId: 'http://example.org/ü', agent, stateId: name };
    const body = JSON.stringify({ [name]: name });
    expect((await call('PUT', 'activities/state', { query, body, headers: json })).status).toBe(204);
    expect((await call('GET', 'activities/state', { query })).body.equals(Buffer.from(body))).toBe(true);
    const { stateId: _, ...owner } = query;
    expect(parsed(await call('GET', 'activities/state', { query: owner }))).toEqual([name]);
  });

  it('of a form is UTF-8, headers and parameters in it are that (xAPI 1.0.3 Communication 1.3)', async () => {
    const query = { activityId, agent, stateId: randomUUID() };
    const content = '{"ü":"😀"}';
    const headers = { 'Content-Type': 'application/json', 'If-None-Match': '*' };
    const form = new URLSearchParams({ ...query, ...headers, 'X-Experience-API-Version': '1.0.3', content });
    const send = () =>
      call('POST', 'activities/state', {
        query: { method: 'PUT' },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      });
    expect([(await send()).status, (await send()).status]).toEqual([204, 412]);
    const answer = await call('GET', 'activities/state', { query });
    expect([answer.body.toString(), answer.headers['content-type']]).toEqual([content, 'application/json']);
  });
});

describe('the largest size', () => {
  it('is the configured one, above it the answer is 413 (xAPI 1.0.3 Communication 3.2)', async () => {
    const query = { activityId, agent, stateId: randomUUID() };
    const [fits, exceeds] = ['x'.repeat(maxBodyBytes), 'x'.repeat(maxBodyBytes + 1)];
    expect(
      (
        await call('PUT', 'activities/state', {
          query,
          body: fits,
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(204);
    for (const [resource, body] of [
      ['activities/state', exceeds],
      ['statements', JSON.stringify([exceeds])],
    ] as const) {
      const answer = await call('POST', resource, { query, body });
      expect([answer.status, parsed(answer)]).toEqual([
        413,
        { error: expect.any(String), code: 'too-large' },
      ]);
    }
    expect((await call('GET', 'activities/state', { query })).body.length).toBe(maxBodyBytes);
  });
});

describe('the ETag of a document', () => {
  it('is its SHA-1 in quotes when it is sent as it is, and only then (xAPI 1.0.3 Communication 3.1)', async () => {
    const query = { activityId, agent, stateId: randomUUID() };
    const body = JSON.stringify({ text: 'long enough to be compressed '.repeat(1_000) });
    await call('PUT', 'activities/state', { query, body, headers: json });
    const sha1 = `"${createHash('sha1').update(body).digest('hex')}"`;
    for (const coding of ['identity', 'gzip', 'br', 'gzip, br', '*']) {
      const answer = await call('GET', 'activities/state', { query, headers: { 'accept-encoding': coding } });
      const asItIs = answer.headers['content-encoding'] === undefined;
      expect([coding, answer.headers.etag === sha1]).toEqual([coding, asItIs]);
    }
    expect((await call('GET', 'activities/state', { query })).headers.etag).toBe(sha1);
  });
});

describe('what an LRS does not know', () => {
  it.each(['activities/state', 'agents/profile', 'activities/profile'] as const)(
    'is no reason to refuse a document: %s (xAPI 1.0.3 Communication 2.2)',
    async (resource) => {
      const owner = {
        ...('activityId' in queries[resource] && { activityId: `http://example.org/${randomUUID()}` }),
        ...('agent' in queries[resource] && {
          agent: JSON.stringify({ mbox: `mailto:${randomUUID()}@x.org` }),
        }),
      };
      const query = { ...owner, [resource === 'activities/state' ? 'stateId' : 'profileId']: 'new' };
      const headers = { ...json, 'if-none-match': '*' };
      expect((await call('PUT', resource, { query, headers, body: '{}' })).status).toBe(204);
      expect((await call('GET', resource, { query })).body.toString()).toBe('{}');
    },
  );
});
