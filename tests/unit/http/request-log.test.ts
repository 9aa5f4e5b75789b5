import { describe, expect, it } from 'vitest';
import { MalwareError, OutageError, UnavailableError } from '../../../lib/errors.ts';
import { openHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { createLogger, type LogLevel } from '../../../lib/logger.ts';
import { callHandler } from '../../support/call-handler.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';

/** The entries that a call leaves in a log of that level. */
async function entries(
  level: LogLevel,
  {
    env = {},
    failure,
    forwarded = '198.51.100.1, 10.0.0.1',
  }: { env?: Record<string, string>; failure?: Error; forwarded?: string } = {},
): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const logger = createLogger(level, { write: (line: string) => void lines.push(line) });
  const handler = openHandler(standInLrs(env, { logger }), async () => {
    if (failure !== undefined) throw failure;
    return json(200, {});
  });
  await callHandler(handler, {
    query: 'agent=somebody',
    headers: { authorization: 'Basic c2VjcmV0', 'x-forwarded-for': forwarded },
  });
  return lines.map((line) => JSON.parse(line));
}

describe('the log of a request', () => {
  it('says at level debug what was called and how it ended, and nothing that may be secret', async () => {
    const [entry, ...more] = await entries('DEBUG');
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
    expect(await entries('INFO')).toEqual([]);
  });

  it('names the client that a trusted proxy names, whatever the client has put before', async () => {
    expect(await entries('DEBUG', { env: { LRS_TRUST_PROXY: 'true' } })).toMatchObject([
      { client: '10.0.0.1' },
    ]);
  });

  it.each([
    ['without its port', '198.51.100.1, 10.0.0.1:4711', '10.0.0.1'],
    ['without port and brackets', '[2001:db8::1]:4711', '2001:db8::1'],
    ['as the connection where it names none', '198.51.100.1, unknown', '203.0.113.7'],
    ['as the connection where the last place is empty', '198.51.100.1, ', '203.0.113.7'],
  ])('names the client behind a trusted proxy %s', async (_, forwarded, client) => {
    const found = await entries('DEBUG', { env: { LRS_TRUST_PROXY: 'true' }, forwarded });
    expect(found).toMatchObject([{ client }]);
  });

  it('has the place of an unexpected error and the cause of an outage, which the client is not told', async () => {
    expect(await entries('ERROR', { failure: new Error('a bug') })).toMatchObject([
      { level: 50, err: { message: 'a bug', at: expect.stringMatching(/^tests\//) }, msg: 'request failed' },
    ]);
    const outage = new UnavailableError('The database is busy.', { cause: new Error('SQLITE_BUSY') });
    expect(await entries('ERROR', { failure: outage })).toMatchObject([
      { level: 50, err: { message: 'SQLITE_BUSY' }, msg: 'The database is busy.' },
    ]);
  });

  it('has what malware was found in which content', async () => {
    const details = [{ path: 'document', message: 'contains X', rule: 'malware' }];
    expect(await entries('INFO', { failure: new MalwareError('found', { details }) })).toMatchObject([
      { level: 40, found: details, method: 'GET', path: '/xapi/statements', msg: 'malware was refused' },
    ]);
  });

  it('does not repeat an outage, whose beginning and end are logged once', async () => {
    const outage = new OutageError('out', { cause: new Error('a file was moved') });
    const within = new UnavailableError('no audit trail', { cause: outage });
    for (const failure of [outage, within]) expect(await entries('INFO', { failure })).toEqual([]);
    const other = new UnavailableError('out', { cause: new Error('x') });
    expect(await entries('INFO', { failure: other })).toHaveLength(1);
  });
});
