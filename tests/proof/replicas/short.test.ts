import { describe, expect, inject, it } from 'vitest';
import { sourceServer } from '../../attack/programs.ts';
import { proveReplicas } from './proof.ts';

/* The short form of `npm run proof:replicas`. */

describe.skipIf(inject('postgresUrl') === null)(
  'replicas of Postgres that serve the reads of a process',
  () => {
    it('show all that was acknowledged by another process, while one of them is late and one is killed', async () => {
      const result = await proveReplicas({ pairs: 200, seconds: 1, program: sourceServer });
      expect(result).toMatchObject({ pairs: 200, missed: [], failures: [] });
      expect(result.replicaReads).toBeGreaterThan(0);
      expect(result.readRate).toBeGreaterThan(0);
    });
  },
);
