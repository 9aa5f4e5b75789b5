import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../config/config.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lrs-lrsql-'));
  mkdirSync(join(cwd, 'config'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** The groups `database` of lrsql's profiles with their defaults, and the size of the pool. */
const profiles = {
  sqlite: { database: { dbType: 'sqlite', dbName: 'lrsql.sqlite.db', dbPort: -1 }, pool: 1 },
  'sqlite in memory': { database: { dbType: 'sqlite', dbName: ':memory:', dbPort: -1 }, pool: 1 },
  postgres: {
    database: {
      dbType: 'postgres',
      dbName: 'lrsql_pg',
      dbHost: '0.0.0.0',
      dbPort: 5432,
      dbUser: 'u',
      dbPassword: 'p',
    },
    pool: 10,
  },
  mariadb: {
    database: {
      dbType: 'mariadb',
      dbName: 'lrsql_mdb',
      dbHost: '0.0.0.0',
      dbPort: 3306,
      dbProperties: 'allowMultiQueries=true',
      dbUser: 'u',
      dbPassword: 'p',
    },
    pool: 10,
  },
  'postgres by a URL': {
    database: { dbJdbcUrl: 'jdbc:postgresql://db.example:5432/lrsql_pg?user=u&password=p', dbCatalog: 'c' },
    pool: 10,
  },
} as const;

/** Every other setting of lrsql with its default, and those without one with a value. */
const others = (pool: number) => ({
  connection: {
    poolAutoCommit: false,
    poolKeepaliveTime: 0,
    poolConnectionTimeout: 30_000,
    poolIdleTimeout: 600_000,
    poolValidationTimeout: 5000,
    poolInitializationFailTimeout: 1,
    poolMaxLifetime: 1_800_000,
    poolMinimumIdle: pool,
    poolMaximumSize: pool,
    poolIsolateInternalQueries: false,
    poolLeakDetectionThreshold: 0,
    poolTransactionIsolation: 'TRANSACTION_READ_COMMITTED',
    poolName: 'pool',
    poolEnableJmx: false,
  },
  tuning: { enableJsonb: true },
  lrs: {
    adminUserDefault: 'admin',
    adminPassDefault: 'secret',
    apiKeyDefault: 'key',
    apiSecretDefault: 'other-secret',
    stmtGetDefault: 50,
    stmtGetMax: 50,
    stmtGetMaxCsv: -1,
    documentMaxIds: -1,
    authorityTemplate: 'config/authority.json.template',
    authorityUrl: 'http://example.org',
    oidcAuthorityTemplate: 'config/oidc_authority.json.template',
    oidcScopePrefix: 'lrs:',
    stmtRetryLimit: 10,
    stmtRetryBudget: 1000,
    enableReactions: true,
    reactionBufferSize: 10_000,
    reactionVersion: '1.0.3',
    supportedVersions: '1.0.3,2.0.0',
    enableStrictVersion: true,
  },
  webserver: {
    enableHttp: true,
    enableHttp2: true,
    enableSni: true,
    httpHost: '0.0.0.0',
    httpPort: 8080,
    sslPort: 8443,
    urlPrefix: '/xapi',
    proxyPath: null,
    authByCredId: true,
    keyFile: 'config/keystore.jks',
    keyAlias: 'lrsql_keystore',
    keyPassword: 'lrsql_pass',
    keyPkeyFile: 'config/server.key.pem',
    keyCertChain: 'config/server.crt.pem,config/cacert.pem',
    keyEnableSelfie: true,
    jwtExpTime: 3600,
    jwtExpLeeway: 1,
    jwtRefreshExpTime: 86_400,
    jwtRefreshInterval: 3540,
    jwtInteractionWindow: 600,
    jwtNoVal: false,
    jwtNoValUname: null,
    jwtCommonSecret: 'x'.repeat(32),
    oidcClientTemplate: 'config/oidc_client.json.template',
    oidcVerifyRemoteIssuer: true,
    oidcEnableLocalAdmin: false,
    allowAllOrigins: false,
    allowedOrigins: ['http://localhost:3000'],
    secHeadHsts: '[default]',
    secHeadFrame: '[default]',
    secHeadContentType: '[default]',
    secHeadXss: '[default]',
    secHeadDownload: '[default]',
    secHeadCrossDomain: '[default]',
    secHeadContent: '[default]',
    enableAdminDeleteActor: true,
    enableAdminUi: true,
    adminLanguage: 'en-US',
    enableAdminStatus: true,
    enableStmtHtml: true,
    enableClamav: true,
    clamavHost: 'localhost',
    clamavPort: 3310,
  },
  logger: { logLevel: 'INFO' },
});

describe('a configuration file of lrsql', () => {
  it.each(Object.entries(profiles))('with every setting is accepted: %s', (_, { database, pool }) => {
    writeFileSync(join(cwd, 'lrsql.json'), JSON.stringify({ database, ...others(pool) }));
    const { config, warnings } = loadConfig({ env: { LRSQL_USER_CONFIG_JSON: 'lrsql.json' }, cwd });
    expect(config.webserver).toMatchObject({ enableSni: true, enableClamav: true, authByCredId: true });
    expect(config.lrs).toMatchObject({
      enableStrictVersion: true,
      documentMaxIds: 20_000,
      authorityTemplate: null,
    });
    expect(warnings.filter((warning) => !warning.includes('has no effect'))).toEqual([]);
    expect(warnings.join()).toContain('webserver.enableHttp2');
  });
});
