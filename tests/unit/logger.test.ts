import { DatabaseError } from 'sequelize';
import { describe, expect, it } from 'vitest';
import { InvalidError, UnavailableError } from '../../lib/errors.ts';
import { loginDoor, openDoor } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import { createLogger } from '../../lib/logger.ts';
import { callDoor } from '../support/call-door.ts';
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
      const door = openDoor(standInLrs({}, { logger }), async () => {
        throw failure;
      });
      await callDoor(door);
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
    const door = loginDoor(standInLrs({}, { logger }), async () => json(200, {}));
    const answer = await callDoor(door, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"username":"somebody","password":${secret}}`,
    });
    expect(answer.status).toBe(400);
    expect(text()).toContain('"status":400');
    expect(text()).not.toContain(secret.slice(0, 5));
    expect(text()).not.toContain('somebody');
  });
});
