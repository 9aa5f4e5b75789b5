import { describe, expect, it } from 'vitest';
import { unroutedHandlers } from '../../../functions/ops/unrouted.ts';
import { aboutHandlers } from '../../../functions/xapi/about.ts';
import { xapiHandler } from '../../../lib/http/handler.ts';
import { callHandler } from '../../support/call-handler.ts';
import { basic, standInLrs } from '../../support/stand-in-lrs.ts';

const headers = { authorization: basic, 'x-experience-api-version': '1.0.3' };
const open = standInLrs({ LRS_MAX_BODY_BYTES: '1024' });

describe('the version of an answer that needs no negotiation', () => {
  it.each([
    ['413', xapiHandler(open, 'statements', { actions: {} }), { method: 'POST', body: 'x'.repeat(1025) }],
    ['404', unroutedHandlers(open).unrouted, { path: '/xapi/nothing' }],
    ['405', unroutedHandlers(open).unrouted, { path: '/xapi/about', method: 'PUT' }],
    ['200', aboutHandlers(open).getAbout, { path: '/xapi/about' }],
  ])('is that of the request (%s)', async (status, handler, request) => {
    const answer = await callHandler(handler, { ...request, headers });
    expect([String(answer.status), answer.headers['x-experience-api-version']]).toEqual([status, '1.0.3']);
  });

  it('is the latest one when the request names none that is spoken', async () => {
    for (const sent of [{}, { 'x-experience-api-version': '0.95' }]) {
      const answer = await callHandler(aboutHandlers(open).getAbout, { path: '/xapi/about', headers: sent });
      expect(answer.headers['x-experience-api-version']).toBe('2.0.0');
    }
  });
});
