import { describe, expect, it } from 'vitest';
import { connect } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { openFunctionDatabase } from '../../lib/db/function-database.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { createLogger } from '../../lib/logger.ts';
import { serverEngines } from '../support/engines.ts';

describe.each(serverEngines)('tokens in place of the password on $name', (engine) => {
  /** The options of a place, with a token that is the password and counts how often it was asked for. */
  async function withToken(work: (options: ServerOptions, asked: () => number) => Promise<void>) {
    const place = await engine.create();
    try {
      if (place.options.dbType === 'sqlite') throw new Error('There is no server.');
      await serverSecret(place.db);
      const { dbPassword = '', ...options } = place.options;
      let asked = 0;
      const dbToken = async () => {
        asked += 1;
        return dbPassword;
      };
      await work({ ...options, dbToken }, () => asked);
    } finally {
      await place.remove();
    }
  }

  it('are made anew for each connection of the pools', async () => {
    await withToken(async (options, asked) => {
      const db = await connect(options);
      try {
        await db.write((session) => session.execute('SELECT 1'));
        await db.read((session) => session.select('SELECT 1 AS one'));
      } finally {
        await db.close();
      }
      expect(asked()).toBeGreaterThanOrEqual(2);
    });
  });

  it('are made for the one connection of a function', async () => {
    await withToken(async (options, asked) => {
      const { db } = await openFunctionDatabase(options, createLogger('OFF'));
      await db.close();
      expect(asked()).toBe(1);
    });
  });

  it('are told as the reason when none can be made', async () => {
    await withToken(async (options) => {
      const failing = { ...options, dbToken: () => Promise.reject(new Error('there are no credentials')) };
      const error: unknown = await connect(failing).catch((reason: unknown) => reason);
      const said = error instanceof Error ? `${error.message} ${error.cause}` : '';
      expect(said).toContain('there are no credentials');
    });
  });
});
