import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseOptions } from '../../lib/db/dialects/engine.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';
import { agent, foundIds, serviceOn, statement } from '../support/statements.ts';

interface Acknowledged {
  readonly batchId: string;
  readonly actor: string;
  readonly ids: readonly string[];
}

/** Runs the writer until it has acknowledged some batches, kills it in the middle of its work and tells which they were. */
async function writeUntilKilled(options: DatabaseOptions): Promise<Acknowledged[]> {
  const program = fileURLToPath(new URL('../support/crash-writer.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.split('\n').length > 300) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  const complete = output.slice(0, output.lastIndexOf('\n'));
  return complete.split('\n').map((line) => JSON.parse(line));
}

describe.each(sharedEngines)('a server on $name that is killed while it writes', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('loses no acknowledged statement, keeps no half batch, and finds each by all its keys', async () => {
    const acknowledged = await writeUntilKilled(database.options);
    expect(acknowledged.length).toBeGreaterThan(200);
    const service = serviceOn(database.db);

    const all = await foundIds(service, { limit: 1000 });
    expect(new Set(all).size).toBe(all.length);
    const stored = new Set(all);
    expect(acknowledged.flatMap(({ ids }) => ids).filter((id) => !stored.has(id))).toEqual([]);

    const byActor = new Map<string, Set<string>>();
    const referrers = new Set(await foundIds(service, { agent: agent('referrer'), limit: 1000 }));
    for (const { batchId, actor, ids } of acknowledged) {
      expect((await foundIds(service, { registration: batchId })).toSorted()).toEqual(ids.toSorted());
      if (!byActor.has(actor)) {
        const found = await foundIds(service, { agent: { mbox: actor }, limit: 1000 });
        byActor.set(actor, new Set(found));
      }
      // The referring statement is found by the actor of its target too.
      expect(ids.filter((id) => !byActor.get(actor)?.has(id))).toEqual([]);
      expect(referrers.has(ids.at(-1) ?? '')).toBe(true);
    }
    expect(await foundIds(service, { verb: statement().verb.id, limit: 1000 })).toEqual(all);

    const batches = await database.db.read((session) =>
      session.select<{ amount: number; referrers: number }>(
        `SELECT COUNT(*) AS amount, COUNT(CASE WHEN actor = 'mbox::mailto:referrer@example.org' THEN 1 END) AS referrers
         FROM statement GROUP BY registration`,
      ),
    );
    expect(batches.filter(({ amount, referrers: last }) => last !== 1 || amount < 2)).toEqual([]);
    if (engine.family !== 'sqlite') return;
    const [check] = await database.db.read((session) =>
      session.select<{ integrity_check: string }>('PRAGMA integrity_check'),
    );
    expect(check?.integrity_check).toBe('ok');
  });
});
