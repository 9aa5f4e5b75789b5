import { describe, expect, it } from 'vitest';
import { recordPrinted } from '../../support/disclosure/record.ts';
import { serverEngines } from '../../support/engines.ts';
import { databaseSettings } from '../../support/server-process.ts';
import { proveFrozen } from './proof.ts';

/* The short form of `npm run proof:lambda`, without bounds of time. */

const seed = 20_260_101;

describe('instances that are frozen between requests and killed at random', () => {
  it.each(serverEngines)(
    'lose nothing, fail nobody else and promise nothing wrong, on $name',
    async (engine) => {
      const { options, remove } = await engine.reserve();
      const result = await proveFrozen({
        ...{ seed, seconds: 3, kills: 8, writers: 4, readers: 2, memory: 512, freezes: true },
        database: databaseSettings(options),
        onOutput: recordPrinted,
      });
      await remove();
      expect(result).toMatchObject({ lost: [], unseen: [], failures: [], kills: 8 });
      expect(result.acknowledged).toBeGreaterThan(0);
    },
  );
});
