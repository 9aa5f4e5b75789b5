import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/errors.ts';
import { openDoor } from '../../../lib/http/door.ts';
import { json } from '../../../lib/http/responses.ts';
import { callDoor } from '../../support/call-door.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

/** The entries that a call leaves in a log of that level. */
async function entries(
  level: string,
  { env = {}, failure }: { env?: Record<string, string>; failure?: Error } = {},
): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const logger = pino({ level }, { write: (line: string) => lines.push(line) });
  const door = openDoor(standInLrs(env, { logger }), async () => {
    if (failure !== undefined) throw failure;
    return json(200, {});
  });
  await callDoor(door, {
    query: 'agent=somebody',
    headers: { authorization: 'Basic c2VjcmV0', 'x-forwarded-for': '198.51.100.1, 10.0.0.1' },
  });
  return lines.map((line) => JSON.parse(line));
}

describe('the log of a request', () => {
  it('says at level debug what was called and how it ended, and nothing that may be secret', async () => {
    const [entry, ...more] = await entries('debug');
    expect(entry).toMatchObject({
      method: 'GET',
      path: '/xapi/statements',
      status: 200,
      client: '203.0.113.7',
    });
    expect(entry?.milliseconds).toEqual(expect.any(Number));
    expect(more).toEqual([]);
    expect(JSON.stringify(entry)).not.toMatch(/somebody|c2VjcmV0/);
  });

  it('is silent at level info', async () => {
    expect(await entries('info')).toEqual([]);
  });

  it('names the client that a trusted proxy names', async () => {
    expect(await entries('debug', { env: { LRS_TRUST_PROXY: 'true' } })).toMatchObject([
      { client: '198.51.100.1' },
    ]);
  });

  it('has the stack of an unexpected error and the cause of an outage, which the client is not told', async () => {
    expect(await entries('error', { failure: new Error('a bug') })).toMatchObject([
      { level: 50, err: { message: 'a bug', stack: expect.any(String) }, msg: 'request failed' },
    ]);
    const outage = new UnavailableError('The database is busy.', { cause: new Error('SQLITE_BUSY') });
    expect(await entries('error', { failure: outage })).toMatchObject([
      { level: 50, err: { message: 'SQLITE_BUSY' }, msg: 'The database is busy.' },
    ]);
  });
});
