import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callDoor } from '../support/call-door.ts';

/** The functions while there is no database that they could open. */
let functions: typeof import('../../functions/lambda.ts');

beforeAll(async () => {
  vi.stubEnv('LRS_DB_TYPE', 'postgres');
  vi.stubEnv('LRS_DB_HOST', '127.0.0.1');
  vi.stubEnv('LRS_DB_NAME', 'lrs');
  vi.stubEnv('LRS_DB_USER', 'lrs');
  // Nobody listens there.
  vi.stubEnv('LRS_DB_PORT', '1');
  vi.stubEnv('LRS_LOG_LEVEL', 'OFF');
  functions = await import('../../functions/lambda.ts');
});
afterAll(() => vi.unstubAllEnvs());

const header = 'x-experience-api-consistent-through';

describe('without a database', () => {
  it.each<[string, keyof typeof functions, string, string, number]>([
    ['the health of the process', 'getHealth', 'GET', '/health', 200],
    ['what the LRS speaks', 'getAbout', 'GET', '/xapi/about', 200],
    ['what a page of another origin may send', 'preflight', 'OPTIONS', '/xapi/statements', 204],
    ['an unknown path', 'unrouted', 'GET', '/nothing', 404],
    ['a file of the screen that is not there', 'getScreenFile', 'GET', '/assets/none.js', 404],
    ['the address of the screen', 'findScreen', 'GET', '/admin/ui', 302],
  ])('%s is answered', async (_, name, method, path, status) => {
    expect((await callDoor(functions[name], { method, path })).status).toBe(status);
  });

  it('OPTIONS promises nothing that nobody knows', async () => {
    const answer = await callDoor(functions.preflight, { method: 'OPTIONS', path: '/xapi/statements' });
    expect(answer.headers[header]).toBe('1970-01-01T00:00:00.000000Z');
  });

  it('what needs it is answered 503', async () => {
    const answers = [
      await callDoor(functions.getReadiness, { path: '/health/ready' }),
      await callDoor(functions.getStatements, { headers: { 'x-experience-api-version': '1.0.3' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });
});
