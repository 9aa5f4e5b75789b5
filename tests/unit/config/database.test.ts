import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../../config/config.ts';

const load = (env: Record<string, string>) => loadConfig({ env, cwd: '/nowhere' });

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** The defaults. */
const timeouts = { transactionTimeout: 30_000, maintenanceTimeout: 3_600_000 };

const postgres = { LRS_DB_TYPE: 'postgres', LRS_DB_USER: 'lrs' };

describe('a database server in the configuration', () => {
  it('has a default for everything but the user', () => {
    const { config, secrets } = load(postgres);
    expect(config.database).toEqual({
      dbType: 'postgres',
      dbHost: 'localhost',
      dbName: 'lrs',
      dbUser: 'lrs',
      pool: { maximumSize: 10, minimumIdle: 2, idleTimeout: 600_000, connectionTimeout: 3000, ...timeouts },
    });
    expect(secrets).toEqual({});
    expect(problemsOf({ LRS_DB_TYPE: 'mariadb' })).toEqual([
      expect.stringMatching(/^database\.dbUser is missing/),
    ]);
  });

  it('authenticates with IAM where a region is set: by TLS only, and without a password', () => {
    const iam = { ...postgres, LRS_DB_IAM_REGION: 'eu-central-1' };
    const { config, secrets } = load({ ...iam, LRS_DB_PROPERTIES: 'sslMode=verify-full' });
    expect(secrets.dbToken).toBeTypeOf('function');
    expect(JSON.stringify(config.database)).not.toContain('dbToken');
    expect(problemsOf({ ...iam, LRS_DB_PASSWORD: 'hush' })).toEqual([
      expect.stringMatching(/^database\.dbIamRegion and database\.dbPassword exclude each other/),
      expect.stringMatching(/^database\.dbIamRegion needs TLS/),
    ]);
    expect(problemsOf({ ...postgres, LRS_DB_IAM_REGION: 'Frankfurt' })).toEqual([
      expect.stringMatching(/^database\.dbIamRegion \(from LRS_DB_IAM_REGION\) must be the name of a region/),
    ]);
  });

  it('takes lrsql’s keys, the password apart', () => {
    const { config, secrets, warnings } = load({
      LRSQL_DB_TYPE: 'postgresql',
      LRSQL_DB_HOST: 'db.example',
      LRSQL_DB_PORT: '6432',
      LRSQL_DB_NAME: 'lrsql_pg',
      LRSQL_DB_USER: 'lrsql_user',
      LRSQL_DB_PASSWORD: 'hidden',
      LRSQL_DB_SCHEMA: 'lrsql',
      LRSQL_POOL_MAXIMUM_SIZE: '20',
      LRSQL_POOL_MINIMUM_IDLE: '3',
      LRSQL_POOL_IDLE_TIMEOUT: '10000',
      LRSQL_POOL_CONNECTION_TIMEOUT: '500',
    });
    expect(config.database).toEqual({
      dbType: 'postgres',
      dbHost: 'db.example',
      dbPort: 6432,
      dbName: 'lrsql_pg',
      dbUser: 'lrsql_user',
      dbSchema: 'lrsql',
      pool: { maximumSize: 20, minimumIdle: 3, idleTimeout: 10_000, connectionTimeout: 500, ...timeouts },
    });
    expect(secrets).toEqual({ dbPassword: 'hidden' });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['sslMode=disable', undefined],
    ['allowMultiQueries=true', undefined],
    ['sslmode=require', { verify: 'nothing' }],
    ['sslMode=verify-ca&sslRootCert=ca.pem', { verify: 'authority', authorityFile: 'ca.pem' }],
    ['sslRootCert=ca.pem', { verify: 'authority and host', authorityFile: 'ca.pem' }],
    [
      'sslMode=verify-full&sslCert=c.pem&sslKey=k.pem',
      { verify: 'authority and host', certificateFile: 'c.pem', keyFile: 'k.pem' },
    ],
  ])('reads TLS from the properties %s', (properties, tls) => {
    const { database } = load({ ...postgres, LRS_DB_PROPERTIES: properties }).config;
    expect('tls' in database ? database.tls : undefined).toEqual(tls);
  });

  it.each([
    ['sslMode=prefer', /sslMode must be one of disable, require, trust, verify-ca, verify-full/],
    ['foo=hidden', /the property "foo", which is not known; known are sslMode/],
    ['sslCert=hidden.pem', /sslCert and sslKey go together/],
  ])('refuses the properties %s with a sentence that shows no value', (properties, sentence) => {
    const problems = problemsOf({ ...postgres, LRS_DB_PROPERTIES: properties });
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems.join()).not.toContain('hidden');
  });

  it('has a schema on Postgres only', () => {
    const env = { LRS_DB_TYPE: 'mariadb', LRS_DB_USER: 'lrs', LRS_DB_SCHEMA: 'x' };
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^database\.dbSchema .* MariaDB/)]);
  });

  it('leaves the keys of a server without effect on SQLite', () => {
    const { config } = load({ LRS_DB_HOST: 'db.example', LRS_DB_PASSWORD: 'p' });
    expect(config.database).toEqual({ dbType: 'sqlite', dbName: 'data/lrs.sqlite' });
  });
});
