import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createLogger } from '../../lib/logger.ts';
import { openLrs } from '../../lib/lrs.ts';
import { databaseEnv } from '../support/admin-client.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, everything, exact, serviceOn, statement } from '../support/statements.ts';

const logger = createLogger('OFF');

describe.each(sharedEngines)('a server that starts on $name', (engine) => {
  let database: TestDatabase;
  afterEach(() => database.remove());

  it('ends the erasures that another one has left, while it answers already', async () => {
    database = await engine.create();
    const { db } = database;
    await serviceOn(db).store(
      batchOf(Array.from({ length: 250 }, () => statement({ actor: agent('gone') }))),
    );
    await serviceOn(db).store(batchOf([statement()]));
    const left = createErasureService(db, logger);
    left.stop();
    await expect(left.erase('mbox::mailto:gone@example.org')).rejects.toThrow('goes on when it starts again');

    const env = { LRS_LOG_LEVEL: 'OFF', ...databaseEnv(database.options) };
    const { config, secrets } = loadConfig({ env, cwd: import.meta.dirname });
    const lrs = await openLrs(config, secrets, logger);
    const unfinished = () => db.read((session) => session.select('SELECT identifier FROM actor_erasure'));
    await expect.poll(unfinished).toEqual([]);
    const page = await lrs.statements.query({ ...everything, limit: 300 }, exact);
    await lrs.close();
    expect(page.statements).toHaveLength(1);
  });
});
