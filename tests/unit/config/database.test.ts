import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, loadConfigWithSecrets } from '../../../config/config.ts';

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
const timeouts = {
  transactionTimeout: 30_000,
  maintenanceTimeout: 3_600_000,
  maximumLifetime: 1_800_000,
};

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
    ['sslMode=prefer', undefined],
    ['ssl=false', undefined],
    ['ssl=true', { verify: 'authority and host' }],
    ['useSsl=true&serverSslCert=ca.pem', { verify: 'authority and host', authorityFile: 'ca.pem' }],
    ['ssl=TRUE', { verify: 'authority and host' }],
    ['useSSL=1', { verify: 'authority and host' }],
    ['requireSSL=true', { verify: 'authority and host' }],
    ['useSSL=true&requireSSL=true', { verify: 'authority and host' }],
    ['useSSL=false&requireSSL=false', undefined],
    ['requireSSL=true&sslMode=require', { verify: 'nothing' }],
    ['sslmode=require', { verify: 'nothing' }],
    ['sslrootcert=system', { verify: 'authority and host', authorityFile: 'system' }],
    ['sslmode=verify-full&sslrootcert=system', { verify: 'authority and host', authorityFile: 'system' }],
    ['sslmode=require&channel_binding=require', { verify: 'nothing' }],
    ['channel_binding=prefer', undefined],
    ['sslmode=require&sslrootcert=ca.pem', { verify: 'authority', authorityFile: 'ca.pem' }],
    ['sslMode=VERIFY-CA', { verify: 'authority' }],
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
    ['sslMode=always', /sslMode must be one of disable, require, trust, verify-ca, verify-full/],
    ['sslMod=hidden', /the property "sslMod", which is not known; known for TLS are sslMode/],
    ['sslCert=hidden.pem', /sslCert and sslKey go together/],
    ['ssl=hidden', /ssl must be true or false/],
    [
      'sslMode=verify-full&sslmode=disable',
      /^database\.dbProperties has sslmode twice; it must have it once\.$/,
    ],
    ['useSSL=true&ssl=false', /has ssl twice/],
    ['requireSSL=hidden', /requireSSL must be true or false/],
    ['requireSSL=true&sslMode=disable', /asks for TLS with requireSSL, and for none with sslMode/],
    ['ssl=true&sslMode=prefer', /asks for TLS with ssl, and for none with sslMode/],
    ['sslMode=require&sslRootCert=system', /sslRootCert=system, which goes with sslMode=verify-full only/],
    ['sslMode=prefer&sslRootCert=system', /sslRootCert=system, which goes with sslMode=verify-full only/],
    ['trustStore=hidden.p12', /the property "trustStore", which is not known; known for TLS are sslMode/],
    ['keyStore=hidden.p12', /the property "keyStore", which is not known; known for TLS are sslMode/],
    ['tlsVersion=hidden', /the property "tlsVersion", which is not known; known for TLS are sslMode/],
    ['enabledTLSProtocols=hidden', /the property "enabledTLSProtocols", which is not known/],
    ['channel_binding=require', /has channel_binding=require, which needs TLS: set sslMode=verify-full\.$/],
    ['sslMode=prefer&channelBinding=require', /has channel_binding=require, which needs TLS/],
    ['channel_binding=hidden', /channel_binding must be one of disable, prefer, require/],
  ])('refuses the properties %s with a sentence that shows no value', (properties, sentence) => {
    const problems = problemsOf({ ...postgres, LRS_DB_PROPERTIES: properties });
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems.join()).not.toContain('hidden');
  });

  it.each([
    ['sslMode=prefer', /sslMode=prefer counts as disable/],
    ['prepareThreshold=hidden', /the property "prepareThreshold", which has no effect here\.$/],
    ['sslmode=require&channel_binding=require', /channel_binding binds no login to the connection here/],
    ['connectTimeout=hidden', /connection\.poolConnectionTimeout says the same/],
  ])('warns that the properties %s have no effect, without a value', (properties, sentence) => {
    const { warnings } = load({ ...postgres, LRS_DB_PROPERTIES: properties });
    expect(warnings).toEqual([expect.stringMatching(sentence)]);
    expect(warnings.join()).not.toContain('hidden');
  });

  it('warns that a user, a schema and replicas have no effect on SQLite', () => {
    expect(load({ LRS_DB_USER: 'lrs', LRS_DB_PASSWORD: 'hidden' }).warnings).toEqual([
      'database.dbUser has no effect on SQLite, which is in use: for a database server, set dbType to postgres or mariadb, or start with --db postgres or --db mariadb.',
    ]);
    expect(load({ LRS_DB_READ_HOSTS: 'pg2' }).warnings).toEqual([
      'database.dbReadHosts has no effect on SQLite.',
    ]);
    expect(load({ LRS_DB_SCHEMA: 'acme' }).warnings).toEqual(['database.dbSchema has no effect on SQLite.']);
  });

  it('takes a login and a schema out of the properties, which are shown', () => {
    const properties = 'user=u&password=hidden&currentSchema=s&sslMode=require';
    const { config, secrets } = load({ LRS_DB_TYPE: 'postgres', LRS_DB_PROPERTIES: properties });
    expect(config.database).toMatchObject({ dbUser: 'u', dbSchema: 's', tls: { verify: 'nothing' } });
    expect(secrets).toEqual({ dbPassword: 'hidden' });
    expect(JSON.stringify(config)).not.toContain('hidden');
    expect(load({ ...postgres, LRS_DB_PROPERTIES: 'user=other' }).config.database).toMatchObject({
      dbUser: 'lrs',
    });
  });

  it('takes the name mysql for MariaDB', () => {
    const { config } = load({ LRS_DB_TYPE: 'mysql', LRS_DB_USER: 'lrs' });
    expect(config.database.dbType).toBe('mariadb');
  });

  it('has a pool of one, connections that idle at any time and of any age when that is asked for', () => {
    const { config } = load({
      ...postgres,
      LRS_POOL_MAXIMUM_SIZE: '1',
      LRS_POOL_IDLE_TIMEOUT: '0',
      LRS_POOL_MAX_LIFETIME: '0',
    });
    expect(config.database).toMatchObject({ pool: { maximumSize: 1, idleTimeout: 0, maximumLifetime: 0 } });
  });

  it('has a schema on Postgres only', () => {
    const env = { LRS_DB_TYPE: 'mariadb', LRS_DB_USER: 'lrs', LRS_DB_SCHEMA: 'x' };
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^database\.dbSchema .* MariaDB/)]);
  });

  it('takes a list of hosts, and refuses one that can not be read', () => {
    const named = (dbHost: string) => ({ ...postgres, LRS_DB_HOST: dbHost });
    expect(load(named('pg1, pg2:5433,[::1]:5434')).config.database).toMatchObject({
      dbHost: 'pg1, pg2:5433,[::1]:5434',
    });
    const port = 'has a port that is not from 1 to 65535';
    for (const [wrong, problem] of [
      ['pg1,,pg2', 'entry 2 is empty'],
      ['pg1,pg2,', 'entry 3 is empty'],
      ['pg1:port', 'entry 1 is neither a host nor HOST:PORT'],
      ['pg1:5432:5433', 'entry 1 is neither a host nor HOST:PORT'],
      ['pg1:70000', `entry 1 ${port}`],
      ['pg1,pg2:999999', `entry 2 ${port}`],
      ['pg1:0', `entry 1 ${port}`],
    ] as const) {
      const hosts = 'a host, or hosts separated by commas, such as pg1,pg2:5433,[::1]:5434';
      expect(problemsOf(named(wrong))).toEqual([`database.dbHost must be ${hosts}: ${problem}.`]);
    }
  });

  it('takes the replicas that serve reads, from a setting or the URL, and refuses a list that can not be read', () => {
    const replicas = { hosts: 'pg2,pg3:5433', maxWait: 100, gather: 10, maximumSize: 10 };
    const named = (dbReadHosts: string) => ({ ...postgres, LRS_DB_READ_HOSTS: dbReadHosts });
    expect(load(named('pg2,pg3:5433')).config.database).toMatchObject({ replicas });
    expect(
      load({ LRS_DB_JDBC_URL: 'postgresql://u@pg1/lrs?readHosts=pg2,pg3:5433' }).config.database,
    ).toMatchObject({ dbHost: 'pg1', replicas });
    const tuned = { LRS_DB_READ_MAX_WAIT: '20', LRS_DB_READ_GATHER: '7', LRS_DB_READ_POOL_MAXIMUM_SIZE: '3' };
    expect(load({ ...named('pg2'), ...tuned }).config.database).toMatchObject({
      replicas: { hosts: 'pg2', maxWait: 20, gather: 7, maximumSize: 3 },
    });
    expect(problemsOf(named('pg2,,pg3'))).toEqual([
      expect.stringMatching(/^database\.dbReadHosts must be a host, or hosts separated by commas/),
    ]);
  });

  it('leaves the keys of a server without effect on SQLite', () => {
    const { config } = load({ LRS_DB_HOST: 'db.example', LRS_DB_PASSWORD: 'p' });
    expect(config.database).toEqual({ dbType: 'sqlite', dbName: 'data/lrs.sqlite', sqliteDriver: 'auto' });
  });
});

describe('a URL of the database', () => {
  const at = (url: string, env: Record<string, string> = {}) => load({ LRS_DB_JDBC_URL: url, ...env });

  it.each([
    [
      'postgres://u:p%40ss@db.example:6432/store',
      { dbType: 'postgres', dbHost: 'db.example', dbPort: 6432, dbName: 'store', dbUser: 'u' },
      'p@ss',
    ],
    [
      'postgresql://u:p@db.example/store?sslmode=verify-full',
      { dbHost: 'db.example', tls: { verify: 'authority and host' } },
      'p',
    ],
    [
      'jdbc:postgresql://db.example:5432/store?user=u&password=p&currentSchema=s',
      { dbHost: 'db.example', dbPort: 5432, dbName: 'store', dbUser: 'u', dbSchema: 's' },
      'p',
    ],
    ['jdbc:postgresql:store?user=u', { dbHost: 'localhost', dbName: 'store', dbUser: 'u' }, undefined],
    ['postgres://u@[::1]:5433', { dbHost: '::1', dbPort: 5433, dbName: 'lrs' }, undefined],
    ['postgres://u@%2Frun%2Fpostgresql/store', { dbHost: '/run/postgresql', dbName: 'store' }, undefined],
    [
      'mysql://u:a:b@db.example/store',
      { dbType: 'mariadb', dbHost: 'db.example', dbName: 'store', dbUser: 'u' },
      'a:b',
    ],
    [
      'jdbc:mariadb://db.example/store?user=u&allowMultiQueries=true',
      { dbType: 'mariadb', dbUser: 'u' },
      undefined,
    ],
    ['jdbc:mysql://db.example/store?user=u', { dbType: 'mariadb', dbUser: 'u' }, undefined],
    ['sqlite:lrs.db', { dbType: 'sqlite', dbName: 'lrs.db' }, undefined],
    ['sqlite:///var/lrs.db', { dbType: 'sqlite', dbName: '/var/lrs.db' }, undefined],
    ['jdbc:sqlite::memory:', { dbType: 'sqlite', dbName: ':memory:' }, undefined],
  ])('is taken apart: %s', (url, database, password) => {
    const { config, secrets, warnings } = at(url);
    expect(config.database).toMatchObject(database);
    expect(secrets.dbPassword).toBe(password);
    expect(warnings).toEqual([]);
  });

  it('is accepted as DATABASE_URL where no setting says which database, and shown only as a secret', () => {
    const platform = { DATABASE_URL: 'postgres://u:hidden@platform.example/store' };
    const { config, secrets } = load(platform);
    expect(config.database).toMatchObject({ dbType: 'postgres', dbHost: 'platform.example', dbUser: 'u' });
    expect(secrets.dbPassword).toBe('hidden');
    expect(JSON.stringify(config)).not.toContain('hidden');
    const own = load({ ...platform, LRS_DATABASE_URL: 'postgres://v:x@own.example/store' }).config;
    expect(own.database).toMatchObject({ dbHost: 'own.example', dbUser: 'v' });
    expect(load({ ...platform, LRS_DB_NAME: ':memory:' }).config.database).toMatchObject({
      dbType: 'sqlite',
    });
    expect(load({ ...platform, DATABASE_URL: '' }).config.database.dbType).toBe('sqlite');
    expect(() => load({ DATABASE_URL: 'mongodb://u:hidden@h/n' })).toThrow(
      /from DATABASE_URL\) must be a URL/,
    );
  });

  it('is accepted as DATABASE_URL beside --db where it names the same engine, else a sentence tells why not', () => {
    const beside = (option: Record<string, string>, env: Record<string, string>) =>
      loadConfig({ env, cwd: '/nowhere', database: option });
    const option = { LRS_DB_TYPE: 'postgres' };
    const { config, warnings } = beside(option, {
      DATABASE_URL: 'postgresql://u:hidden@platform.example/store',
    });
    expect(config.database).toMatchObject({ dbType: 'postgres', dbHost: 'platform.example', dbUser: 'u' });
    expect(warnings).toEqual([]);
    const other = { DATABASE_URL: 'mysql://u:hidden@platform.example/store' };
    const sentence = 'DATABASE_URL has no effect: it names mariadb, and --db names postgres.';
    expect(() => beside(option, other)).toThrow(sentence);
    const own = beside(option, { ...other, LRS_DB_USER: 'lrs' });
    expect(own.config.database).toMatchObject({ dbHost: 'localhost', dbUser: 'lrs' });
    expect(own.warnings).toEqual([sentence]);
    expect(() => beside(option, { DATABASE_URL: 'mongodb://u:hidden@h/n' })).toThrow(
      /DATABASE_URL has no effect: it is not the URL of a database of postgres, which --db names\./,
    );
    const memory = beside({ LRS_DB_TYPE: 'sqlite', LRS_DB_NAME: ':memory:' }, other);
    expect(memory.config.database).toMatchObject({ dbType: 'sqlite', dbName: ':memory:' });
    expect(memory.warnings).toEqual(['DATABASE_URL has no effect: it names mariadb, and --db names sqlite.']);
    const place = { ...other, LRS_DB_HOST: 'db.example', LRS_DB_USER: 'lrs' };
    expect(beside(option, place).config.database).toMatchObject({ dbHost: 'db.example' });
    expect(beside(option, place).warnings).toEqual([]);
  });

  it('may have properties without effect, which are named as they are written', () => {
    const { warnings } = load({ ...postgres, LRS_DB_PROPERTIES: 'ApplicationName=x&connectTimeout=5' });
    expect(warnings).toEqual([
      'database.dbProperties has the property "ApplicationName", which has no effect here.',
      expect.stringContaining('the property "connectTimeout", which has no effect here; connection.'),
    ]);
    expect(problemsOf({ ...postgres, LRS_DB_PROPERTIES: 'sslFactory=x' })).toEqual([
      expect.stringContaining('the property "sslFactory", which is not known'),
    ]);
  });

  it('counts before --db, which the warning names', () => {
    const env = { LRS_DATABASE_URL: 'postgres://u:hidden@db.example/store' };
    const { warnings } = loadConfig({ env, cwd: '/nowhere', database: { LRS_DB_TYPE: 'mariadb' } });
    expect(warnings).toEqual([
      'database.dbType (from --db) has no effect beside database.dbJdbcUrl (from LRS_DATABASE_URL).',
    ]);
  });

  it('is accepted as LRS_DATABASE_URL, too, and shown only as a secret that is set', () => {
    const { config } = load({ LRS_DATABASE_URL: 'postgres://u:hidden@db.example/store' });
    expect(config.database).toMatchObject({ dbHost: 'db.example' });
    expect(config.shown).toContainEqual(
      expect.objectContaining({ key: 'dbJdbcUrl', secret: true, set: true }),
    );
    expect(JSON.stringify(config)).not.toContain('hidden');
  });

  it.each([
    'db.example/store',
    'oracle://u:hidden@db.example/store',
    'constructor://u:hidden@db.example/store',
    'postgres://u:hid/den@db.example/store',
    'postgres://u:hid?den@db.example/store',
    'postgres://u:hid%den@db.example/store',
    'postgres://u:hidden@db.example:port/store',
  ])('is refused with a sentence that shows nothing of it: %s', (url) => {
    const problems = problemsOf({ LRS_DB_JDBC_URL: url });
    expect(problems).toEqual([
      expect.stringMatching(
        /^database\.dbJdbcUrl \(from LRS_DB_JDBC_URL\) must be a URL such as postgresql:/,
      ),
    ]);
    expect(problems.join()).not.toMatch(/hid|den/);
  });

  it('may name several hosts, and says in the words of other drivers that the primary is to be used', () => {
    const { config, warnings } = at(
      'postgres://u@a.example,b.example:5433/store?target_session_attrs=read-write&targetServerType=primary',
    );
    expect(config.database).toMatchObject({ dbHost: 'a.example,b.example:5433', dbName: 'store' });
    expect(warnings).toEqual([]);
    const standby = at('postgres://u@a.example,b.example/store?target_session_attrs=standby');
    expect(standby.warnings).toEqual([
      expect.stringContaining('"target_session_attrs", which has no effect'),
    ]);
  });

  it('counts before the settings that say something else, with a warning for each', () => {
    const { config, secrets, warnings } = at('postgres://u:p@db.example/store', {
      LRS_DB_TYPE: 'postgresql',
      LRS_DB_HOST: 'other.example',
      LRS_DB_PORT: '1234',
      LRS_DB_USER: 'u',
      LRS_DB_PASSWORD: 'hidden',
    });
    expect(config.database).toMatchObject({ dbType: 'postgres', dbHost: 'db.example', dbUser: 'u' });
    expect(config.database).not.toHaveProperty('dbPort');
    expect(secrets).toEqual({ dbPassword: 'p' });
    expect(warnings).toEqual(
      ['dbHost (from LRS_DB_HOST)', 'dbPort (from LRS_DB_PORT)', 'dbPassword (from LRS_DB_PASSWORD)'].map(
        (place) => `database.${place} has no effect beside database.dbJdbcUrl (from LRS_DB_JDBC_URL).`,
      ),
    );
  });

  it('may be named as a secret of AWS', async () => {
    const env = {
      LRS_DB_JDBC_URL: 'arn:aws:ssm:eu-central-1:123456789012:parameter/url',
      LRS_DB_TYPE: 'postgres',
    };
    const pending = load(env);
    expect(pending.secrets).toEqual({ dbJdbcUrl: env.LRS_DB_JDBC_URL });
    const { config, secrets } = await loadConfigWithSecrets(
      { env, cwd: '/nowhere' },
      async () => 'postgres://u:hidden@db.example/store',
    );
    expect(config.database).toMatchObject({ dbHost: 'db.example', dbName: 'store', dbUser: 'u' });
    expect(secrets).toEqual({ dbPassword: 'hidden' });
  });
});
