import { describe, expect, it } from 'vitest';
import { unroutedDoors } from '../../../functions/ops/unrouted.ts';
import { aboutDoors } from '../../../functions/xapi/about.ts';
import { xapiDoor } from '../../../lib/http/door.ts';
import { callDoor } from '../../support/call-door.ts';
import { basic, standInLrs } from '../../support/stand-in-lrs.ts';

const headers = { authorization: basic, 'x-experience-api-version': '1.0.3' };
const open = standInLrs({ LRS_MAX_BODY_BYTES: '1024' });

describe('the version of an answer that needs no negotiation', () => {
  it.each([
    ['413', xapiDoor(open, 'statements', { actions: {} }), { method: 'POST', body: 'x'.repeat(1025) }],
    ['404', unroutedDoors(open).unrouted, { path: '/xapi/nothing' }],
    ['405', unroutedDoors(open).unrouted, { path: '/xapi/about', method: 'PUT' }],
    ['200', aboutDoors(open).getAbout, { path: '/xapi/about' }],
  ])('is that of the request (%s)', async (status, door, request) => {
    const answer = await callDoor(door, { ...request, headers });
    expect([String(answer.status), answer.headers['x-experience-api-version']]).toEqual([status, '1.0.3']);
  });

  it('is the latest one when the request names none that is spoken', async () => {
    for (const sent of [{}, { 'x-experience-api-version': '0.95' }]) {
      const answer = await callDoor(aboutDoors(open).getAbout, { path: '/xapi/about', headers: sent });
      expect(answer.headers['x-experience-api-version']).toBe('2.0.0');
    }
  });
});
