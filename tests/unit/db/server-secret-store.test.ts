import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../lib/db/connect.ts';
import { serverSecret } from '../../../lib/db/server-secret-store.ts';
import { createLogger } from '../../../lib/logger.ts';

const open = (dbName: string) => openDatabase({ dbType: 'sqlite', dbName }, createLogger('OFF'));

it('a database has one secret, also for processes that start at once and after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lrs-secret-'));
  const dbName = join(folder, 'lrs.sqlite');
  const instances = await Promise.all([open(dbName), open(dbName), open(dbName)]);
  const secrets = await Promise.all([...instances, ...instances].map(serverSecret));
  for (const db of instances) await db.close();
  const restarted = await open(dbName);
  secrets.push(await serverSecret(restarted));
  await restarted.close();
  rmSync(folder, { recursive: true });
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
  expect(secrets[0]).toHaveLength(32);
});

it('another database has another secret', async () => {
  const [one, two] = [await open(':memory:'), await open(':memory:')];
  expect(await serverSecret(one)).not.toEqual(await serverSecret(two));
  await one.close();
  await two.close();
});
