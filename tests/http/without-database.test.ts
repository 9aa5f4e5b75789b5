import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callHandler } from '../support/call-handler.ts';
import { type Functions, functionOf, loadFunctions } from '../support/functions.ts';

/** The functions while there is no database that they could open. */
let functions: Functions;

beforeAll(async () => {
  vi.stubEnv('LRS_DB_TYPE', 'postgres');
  vi.stubEnv('LRS_DB_HOST', '127.0.0.1');
  vi.stubEnv('LRS_DB_NAME', 'lrs');
  vi.stubEnv('LRS_DB_USER', 'lrs');
  // Nobody listens there.
  vi.stubEnv('LRS_DB_PORT', '1');
  vi.stubEnv('LRS_LOG_LEVEL', 'OFF');
  functions = await loadFunctions();
});
afterAll(() => vi.unstubAllEnvs());

const header = 'x-experience-api-consistent-through';

describe('without a database', () => {
  it.each<[string, string, string, number]>([
    ['the health of the process', 'GET', '/health', 200],
    ['what the LRS speaks', 'GET', '/xapi/about', 200],
    ['what a page of another origin may send', 'OPTIONS', '/xapi/statements', 204],
    ['an unknown path', 'GET', '/nothing', 404],
    ['a file of the screen that is not there', 'GET', '/assets/none.js', 404],
    ['the address of the screen', 'GET', '/admin/ui', 302],
    ['the address of a page of the screen', 'GET', '/admin/ui/browser', 302],
    ['the address of the administration', 'GET', '/admin/', 302],
  ])('%s is answered', async (_, method, path, status) => {
    const answer = await callHandler(functions[functionOf(path)], { method, path });
    expect(answer.status).toBe(status);
  });

  it('OPTIONS promises nothing that nobody knows', async () => {
    const answer = await callHandler(functions.statements, { method: 'OPTIONS', path: '/xapi/statements' });
    expect(answer.headers[header]).toBe('1970-01-01T00:00:00.000000Z');
  });

  it('what needs it is answered 503', async () => {
    const answers = [
      await callHandler(functions.screen, { path: '/health/ready' }),
      await callHandler(functions.statements, { headers: { 'x-experience-api-version': '1.0.3' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });
});

describe('what fails before the LRS is open', () => {
  it.each<[string, number]>([
    ['ERROR', 1],
    ['OFF', 0],
  ])('is logged in as many lines as the level %s permits: %i', async (level, lines) => {
    vi.stubEnv('LRS_DB_TYPE', 'sqlite');
    // A file of another kind.
    vi.stubEnv('LRS_DB_NAME', import.meta.filename);
    vi.stubEnv('LRS_LOG_LEVEL', level);
    vi.resetModules();
    const { statements } = await loadFunctions();
    const written = vi.spyOn(fs, 'writeSync').mockImplementation((_, line) => Buffer.byteLength(line));
    syncBuiltinESMExports();
    try {
      const answer = await callHandler(statements, { headers: { 'x-experience-api-version': '1.0.3' } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(written.mock.calls.filter(([descriptor]) => descriptor === 2)).toHaveLength(lines);
    } finally {
      written.mockRestore();
      syncBuiltinESMExports();
    }
  });
});
