import { describe, expect, inject, it } from 'vitest';
import { sourceServer } from '../../attack/programs.ts';
import { postgresCluster } from './postgres.ts';
import { proveCluster } from './proof.ts';

/* The short form of `npm run proof:failover`. */

const proven = {
  ...{
    lost: [],
    duplicates: [],
    unseen: [],
    wronglySeen: [],
    disordered: [],
    contradictions: [],
    failures: [],
  },
};

describe.skipIf(inject('postgresUrl') === null)('a primary of Postgres that is killed under load', () => {
  it('costs no acknowledged statement, stores none twice, and no incremental reader misses any', async () => {
    const cluster = await postgresCluster();
    try {
      const result = await proveCluster({ cluster, rounds: 2, program: sourceServer });
      expect(result).toMatchObject(proven);
      expect(result.acknowledged).toBeGreaterThan(0);
      expect(result.documents).toBeGreaterThan(0);
    } finally {
      await cluster.remove();
    }
  });
});
