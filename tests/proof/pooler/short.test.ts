import { describe, expect, inject, it } from 'vitest';
import { sourceServer } from '../../attack/programs.ts';
import { hasPooler } from '../../support/pgbouncer.ts';
import { proveBehindPooler } from './proof.ts';

/* The short form of `npm run proof:pooler`. */

describe.skipIf(!hasPooler || inject('postgresUrl') === null)('a Postgres behind PgBouncer', () => {
  it('passes tests of behaviour while other processes work behind the same ten connections', async () => {
    const { suites, ...result } = await proveBehindPooler({
      processes: 2,
      program: sourceServer,
      suites: [{ engine: 'postgres', files: ['tests/conformance/statements.test.ts'] }],
    });
    expect(suites.postgres).toMatchObject({ failed: [], skipped: 0 });
    expect(suites.postgres?.passed).toBeGreaterThan(0);
    expect(result.failures).toEqual([]);
    expect(result.answers).toBeGreaterThan(0);
    expect(result.servers).toBeGreaterThan(0);
    expect(result.servers).toBeLessThanOrEqual(10);
  });
});
