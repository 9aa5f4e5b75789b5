import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../../config/config.ts';

const load = (env: Readonly<Record<string, string>>) => loadConfig({ env, cwd: import.meta.dirname });

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('database servers for stores', () => {
  it('are read from NAME=URL, and their passwords stay out of the configuration', () => {
    const { config, secrets } = load({
      LRS_STORES_SERVERS:
        'second=postgresql://lrs:hidden@db2.example.org:5433/lrs?currentSchema=own&readHosts=db4%2Cdb5:5434,third=mariadb://lrs:hidden@db3/lrs',
    });
    expect(secrets.storeServers).toMatchObject({
      second: {
        dbType: 'postgres',
        dbHost: 'db2.example.org',
        dbPort: 5433,
        dbSchema: 'own',
        dbUser: 'lrs',
        replicas: { hosts: 'db4,db5:5434', maxWait: 100, gather: 10, maximumSize: 10 },
        dbPassword: 'hidden',
      },
      third: { dbType: 'mariadb', dbHost: 'db3', dbName: 'lrs' },
    });
    expect(JSON.stringify(config)).not.toContain('hidden');
  });

  it('may be several hosts that replicate each other, with encoded commas between them', () => {
    const { secrets } = load({
      LRS_STORES_SERVERS: 'second=postgresql://lrs@db2:5433%2Cdb3/lrs,third=mariadb://lrs@db4%2Cdb5/lrs',
    });
    expect(secrets.storeServers).toMatchObject({
      second: { dbHost: 'db2:5433,db3' },
      third: { dbHost: 'db4,db5' },
    });
  });

  it('have no effect without stores, which a warning says', () => {
    const servers = { LRS_STORES_SERVERS: 'second=postgresql://lrs@db2/lrs' };
    const sentence = 'stores.storesServers has no effect without stores.enableStores.';
    expect(load(servers).warnings).toContain(sentence);
    expect(load({ ...servers, LRS_ENABLE_STORES: 'true' }).warnings).not.toContain(sentence);
  });

  it.each([
    ['second', 'must be NAME=URL'],
    ['second=postgresql://lrs@db2,db3/lrs', 'a comma in a URL, as between hosts, is written %2C'],
    ['main=postgresql://lrs@db2/lrs', 'must not be named main'],
    ['second=sqlite:stores.sqlite', 'must name a database server'],
    ['second=postgresql://db2/lrs', 'must name a user'],
    ['second=postgresql://lrs@db2/lrs?readHosts=db3:port', 'must name hosts in readHosts'],
    ['second=nonsense', 'must be a URL'],
  ])('are refused with a sentence: %s', (text, sentence) => {
    expect(problemsOf({ LRS_STORES_SERVERS: text }).join()).toContain(sentence);
  });
});

describe('stores', () => {
  it('need a database that stays when it is closed', () => {
    const problems = problemsOf({ LRS_ENABLE_STORES: 'true', LRS_DB_NAME: ':memory:' });
    expect(problems).toEqual([expect.stringContaining('needs a database in a file or on a server')]);
  });

  it('are not for a pooler, where a connection has no schema of its own', () => {
    const env = { LRS_DB_TYPE: 'postgres', LRS_DB_USER: 'lrs', LRS_DB_POOLER: 'true' };
    expect(problemsOf({ ...env, LRS_ENABLE_STORES: 'true' })).toEqual([
      expect.stringContaining('stores.enableStores and database.dbPooler exclude each other'),
    ]);
  });

  it('have host names that begin with their name', () => {
    expect(load({ LRS_STORES_HOST: '{name}.LRS.example.org' }).config.stores.storesHost).toBe(
      '{name}.lrs.example.org',
    );
    expect(problemsOf({ LRS_STORES_HOST: 'lrs.example.org' })).toEqual([expect.stringContaining('{name}.')]);
  });
});
