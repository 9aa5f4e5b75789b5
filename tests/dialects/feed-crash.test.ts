import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFeed } from '../../lib/feed/feed.ts';
import { createLogger } from '../../lib/logger.ts';
import { addingEffects, createEffects, effectsIn, statementPositions } from '../support/effects.ts';
import { sharedEngines, type TestDatabase } from '../support/engines.ts';

const program = fileURLToPath(new URL('../support/feed-worker.ts', import.meta.url));
/** How many processes are killed on each engine. */
const kills = Number(process.env.LRS_TEST_KILLS ?? 3);

interface Worker {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly name: string;
}

describe.each(sharedEngines)(
  'processes that serve the feed of $name and are killed one after the other',
  (engine) => {
    let database: TestDatabase;
    const workers: Worker[] = [];

    beforeEach(async () => {
      database = await engine.create();
      await createEffects(database.db);
    });

    afterEach(async () => {
      await killAll();
      await database.remove();
    });

    async function killAll(): Promise<void> {
      for (const worker of workers) worker.process.kill('SIGKILL');
      await Promise.all(workers.splice(0).map(({ ended }) => ended));
    }

    function begin(name: string): void {
      const args = ['--import', 'tsx', program, JSON.stringify(database.options), name];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      workers.push({ process: child, ended: once(child, 'close'), name });
    }

    /** Waits until one of them has committed some effects, and kills that one in the middle of its work. */
    async function killHolder(): Promise<string> {
      let stopListening = (): void => {};
      const holder = await new Promise<Worker>((resolve) => {
        const counts = new Map<Worker, number>();
        const listeners = workers.map((worker) => {
          const listen = (printed: Buffer): void => {
            counts.set(worker, (counts.get(worker) ?? 0) + printed.length);
            if ((counts.get(worker) ?? 0) > 10) resolve(worker);
          };
          worker.process.stdout?.on('data', listen);
          return () => void worker.process.stdout?.off('data', listen);
        });
        stopListening = () => {
          for (const stop of listeners) stop();
        };
      });
      stopListening();
      holder.process.kill('SIGKILL');
      await holder.ended;
      workers.splice(workers.indexOf(holder), 1);
      return holder.name;
    }

    it('replace each other, and every statement has its effect once, in order', async () => {
      const feed = createFeed(database.db, {
        logger: createLogger('OFF'),
        limits: { statements: 500, bytes: 1_048_576 },
        leaseSeconds: 1,
      });
      feed.register('test', addingEffects('last'));
      await feed.ensureConsumer({ name: 'one', kind: 'test', cursor: 0 });
      begin('worker-0');
      const killed: string[] = [];
      for (let round = 0; round < kills; round += 1) {
        begin(`worker-${round + 1}`);
        killed.push(await killHolder());
      }
      await killAll();
      const missing = async () => {
        await feed.runUntil(Date.now() + 10_000);
        const effects = await effectsIn(database.db);
        return (await statementPositions(database.db)).length - effects.length;
      };
      await expect.poll(missing, { interval: 200 }).toBe(0);
      const stored = await statementPositions(database.db);
      const effects = await effectsIn(database.db);
      expect(effects.map(({ position }) => position)).toEqual(stored);
      expect(new Set(killed).size).toBe(kills);
      for (const worker of killed)
        expect(effects.filter((effect) => effect.worker === worker)).not.toEqual([]);
      expect((await feed.list())[0]).toMatchObject({ state: 'running', attempts: 0, error: null });
    });
  },
);
