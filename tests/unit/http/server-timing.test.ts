import { describe, expect, it } from 'vitest';
import { adminViewHandler, xapiHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { callHandler } from '../../support/call-handler.ts';
import { basic, bearer, standInLrs } from '../../support/stand-in-lrs.ts';

const on = { LRS_ENABLE_SERVER_TIMING: 'true' };
const headers = { authorization: basic, 'x-experience-api-version': '1.0.3' };
const GET = async () => json(200, {});

async function timingOf(env: Record<string, string>, sent: Record<string, string>) {
  const handler = xapiHandler(standInLrs(env), 'statements', { actions: { GET } });
  const answer = await callHandler(handler, { headers: sent });
  return answer.headers['server-timing'];
}

describe('Server-Timing', () => {
  it('tells how long the parts of a call took, which make up the whole', async () => {
    const timing = await timingOf(on, headers);
    expect(timing).toMatch(/^auth;dur=[\d.]+, body;dur=[\d.]+, work;dur=[\d.]+, total;dur=[\d.]+$/);
    const [auth = 0, body = 0, work = 0, total = 0] = [...(timing ?? '').matchAll(/[\d.]+/g)].map(Number);
    expect(Math.abs(auth + body + work - total)).toBeLessThan(0.3);
  });

  it('tells of a call that is refused after the authentication what it took', async () => {
    const handler = xapiHandler(standInLrs({ ...on, LRS_READ_ONLY: 'true' }), 'statements', {
      actions: { GET, POST: GET },
    });
    const answer = await callHandler(handler, { method: 'POST', headers, body: '{}' });
    expect([answer.status, answer.headers['server-timing']]).toEqual([
      503,
      expect.stringMatching(/^auth;dur=[\d.]+, work;dur=[\d.]+, total;dur=[\d.]+$/),
    ]);
  });

  it('is told to operators', async () => {
    const handler = adminViewHandler(standInLrs(on), GET);
    const { headers: answered } = await callHandler(handler, { headers: { authorization: bearer } });
    expect(answered['server-timing']).toMatch(/^auth;/);
  });

  it('is not told to strangers, and not without the setting', async () => {
    expect(await timingOf(on, { ...headers, authorization: 'Basic c3RyYW5nZXI6eA==' })).toBeUndefined();
    expect(await timingOf({}, headers)).toBeUndefined();
  });
});
