import { describe, expect, it } from 'vitest';
import { mariadbReplication } from '../../../../lib/db/dialects/mariadb/replication.ts';
import { postgresReplication } from '../../../../lib/db/dialects/postgres/replication.ts';

describe('the logs of servers that replicate each other', () => {
  it.each([
    ['0/3000060', '0/3000060', true],
    ['0/3000061', '0/3000060', true],
    ['0/300005F', '0/3000060', false],
    ['2/0', '1/FFFFFFFF', true],
    ['9/0', '10/0', false],
    ['FFFFFFFF/FFFFFFFE', 'FFFFFFFF/FFFFFFFF', false],
  ])('on Postgres a replica at %s has what the primary has at %s: %s', (replica, primary, expected) => {
    expect(postgresReplication.hasReplayed(replica, primary)).toBe(expected);
  });

  it.each([
    ['0-1-270', '0-1-270', true],
    ['0-1-9', '0-1-10', false],
    ['0-2-271', '0-1-270', true],
    ['0-1-270,1-3-12', '0-1-270,1-3-12', true],
    ['0-1-270,1-3-11', '0-1-270,1-3-12', false],
    ['0-1-270', '0-1-270,1-3-12', false],
    ['', '0-1-1', false],
    // A primary without a binary log.
    ['0-1-270', '', false],
  ])('on MariaDB a replica at "%s" has what the primary has at "%s": %s', (replica, primary, expected) => {
    expect(mariadbReplication.hasReplayed(replica, primary)).toBe(expected);
  });
});
