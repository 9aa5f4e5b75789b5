import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { DatabaseError } from 'sequelize';
import { describe, expect, it } from 'vitest';
import { InvalidError, UnavailableError } from '../../lib/errors.ts';
import { loginHandler, openHandler } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import { createLogger } from '../../lib/logger.ts';
import { callHandler } from '../support/call-handler.ts';
import { standInLrs } from '../support/stand-in-lrs.ts';
import { thrownBy } from '../support/thrown.ts';

function listening() {
  const lines: string[] = [];
  const logger = createLogger('DEBUG', { write: (line: string) => void lines.push(line) });
  return { logger, text: () => lines.join(''), entries: () => lines.map((line) => JSON.parse(line)) };
}

const sql = 'INSERT INTO account VALUES (?)';
const secret = 'the-secret-value';

function databaseError(): Error {
  const parent = Object.assign(new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed'), {
    sql,
    code: 'SQLITE_CONSTRAINT',
  });
  return Object.assign(new DatabaseError(parent), { parameters: [secret], detail: `(${secret}) exists` });
}

describe('the log', () => {
  it('shows kind, message, code, place and cause of an error', () => {
    const { logger, entries } = listening();
    const cause = Object.assign(new TypeError('inner'), { code: 'E_INNER' });
    logger.error({ err: new Error('outer', { cause }) }, 'failed');
    expect(entries()).toMatchObject([
      {
        msg: 'failed',
        err: {
          type: 'Error',
          message: 'outer',
          at: expect.stringMatching(/^tests\/unit\/logger\.test\.ts:\d+:\d+$/),
          cause: { type: 'TypeError', message: 'inner', code: 'E_INNER' },
        },
      },
    ]);
  });

  it('shows neither the SQL nor the values of a query that failed', async () => {
    for (const failure of [databaseError(), new UnavailableError('busy', { cause: databaseError() })]) {
      const { logger, text } = listening();
      const handler = openHandler(standInLrs({}, { logger }), async () => {
        throw failure;
      });
      await callHandler(handler);
      expect(text()).toContain('UNIQUE constraint failed');
      expect(text()).not.toContain(secret);
      expect(text()).not.toContain('INSERT');
    }
  });

  it('leaves out the SQL that a driver puts into the message', () => {
    const { logger, text } = listening();
    const error = new Error(`(conn:1, no: 1062) Duplicate entry\nsql: ${sql} - parameters:['${secret}']`);
    logger.error({ err: Object.assign(error, { sqlMessage: 'Duplicate entry' }) }, 'failed');
    expect(text()).toContain('Duplicate entry');
    expect(text()).not.toContain(secret);
  });

  it('quotes nothing of a text that could not be parsed', () => {
    const { logger, text } = listening();
    const cause = thrownBy(() => JSON.parse(`{"password":"${secret}",}`));
    logger.debug({ err: new InvalidError('no JSON', { cause }) });
    expect(text()).toContain('SyntaxError');
    expect(text()).not.toContain(secret);
  });

  it('quotes nothing of the body of a login that is not JSON', async () => {
    const { logger, text } = listening();
    const handler = loginHandler(standInLrs({}, { logger }), async () => json(200, {}));
    const answer = await callHandler(handler, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"username":"somebody","password":${secret}}`,
    });
    expect(answer.status).toBe(400);
    expect(text()).toContain('"status":400');
    expect(text()).not.toContain(secret.slice(0, 5));
    expect(text()).not.toContain('somebody');
  });

  it('has an entry in the form of pino: numbers for levels, milliseconds, process and host', () => {
    const { logger, entries } = listening();
    const before = Date.now();
    logger.warn('only text');
    logger.info({ rows: 3, nothing: undefined }, 'with fields');
    const common = { time: expect.any(Number), pid: process.pid, hostname: expect.any(String) };
    const [first, second] = entries();
    expect(first).toEqual({ ...common, level: 40, msg: 'only text' });
    expect(second).toEqual({ ...common, level: 30, rows: 3, msg: 'with fields' });
    expect(first.time).toBeGreaterThanOrEqual(before);
  });

  it('drops entries below its level, which may change', () => {
    const { logger, entries } = listening();
    logger.level = 'error';
    logger.warn('dropped');
    expect(logger.isLevelEnabled('warn')).toBe(false);
    logger.level = 'silent';
    logger.error('dropped');
    logger.level = 'debug';
    logger.debug('kept');
    expect(entries().map(({ msg }) => msg)).toEqual(['kept']);
  });

  it('writes every line to standard error before the process ends, however late it is read', async () => {
    const program = `
      import { createLogger } from './lib/logger.ts';
      const logger = createLogger('INFO');
      process.stdout.write('started');
      for (let line = 0; line < 2000; line += 1) logger.info({ line, text: 'x'.repeat(500) }, 'one of many');
      process.exit();`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const lines = (await textOf(child.stderr)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual(
      Array.from({ length: 2000 }, (_, line) => line),
    );
  });
});
