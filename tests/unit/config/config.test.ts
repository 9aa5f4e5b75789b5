import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, type LoadedConfig, loadConfig } from '../../../config/config.ts';
import { keys } from '../../../config/schema/keys.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lrs-config-'));
  mkdirSync(join(cwd, 'config'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const load = (env: Record<string, string> = {}): LoadedConfig => loadConfig({ env, cwd });
const writeConfig = (content: unknown, name = 'config/lrs.json'): void =>
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

function problemsOf(env: Record<string, string> = {}): readonly string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

describe('where settings come from', () => {
  it('has a default for everything when nothing is set', () => {
    const { config, secrets, warnings } = load();
    expect(config.webserver).toMatchObject({
      httpHost: '0.0.0.0',
      httpPort: 8080,
      sslPort: 8443,
      urlPrefix: '/xapi',
    });
    expect(config.lrs).toMatchObject({
      stmtGetMax: 50,
      stmtGetDefault: 50,
      supportedVersions: ['1.0.3', '2.0.0'],
    });
    expect(config.database).toEqual({ dbType: 'sqlite', dbName: 'data/lrs.sqlite', sqliteDriver: 'auto' });
    expect(secrets).toEqual({});
    expect(warnings).toEqual([]);
  });

  it('takes every kind of value from the environment', () => {
    const { config, secrets } = load({
      LRS_HTTP_PORT: '0',
      LRS_ENABLE_HTTP: 'false',
      LRS_ALLOWED_ORIGINS: 'https://a.example, https://b.example',
      LRS_LOG_LEVEL: 'debug',
      LRS_SUPPORTED_VERSIONS: '2.0.0',
      LRS_JWT_COMMON_SECRET: 'x'.repeat(32),
    });
    expect(config.webserver).toMatchObject({
      httpPort: 0,
      enableHttp: false,
      allowedOrigins: ['https://a.example', 'https://b.example'],
    });
    expect(config.logger.logLevel).toBe('DEBUG');
    expect(config.lrs.supportedVersions).toEqual(['2.0.0']);
    expect(secrets.jwtCommonSecret).toBe('x'.repeat(32));
  });

  it('lets the environment win over the file and the file over the default', () => {
    writeConfig({ webserver: { httpPort: 1111, sslPort: 2222 } });
    expect(load({ LRS_HTTP_PORT: '3333' }).config.webserver).toMatchObject({ httpPort: 3333, sslPort: 2222 });
  });

  it('accepts a key in any group of the file, and null as not set', () => {
    writeConfig({
      lrs: { httpPort: 1111, stmtGetMax: null },
      database: { allowedOrigins: 'https://a.example' },
    });
    const { config } = load();
    expect(config.webserver).toMatchObject({ httpPort: 1111, allowedOrigins: ['https://a.example'] });
    expect(config.lrs.stmtGetMax).toBe(50);
  });

  it.each(['LRS_CONFIG', 'LRSQL_USER_CONFIG_JSON'])('reads the file that %s names', (variable) => {
    writeConfig({ webserver: { httpPort: 4444 } }, 'other.json');
    expect(load({ [variable]: 'other.json' }).config.webserver.httpPort).toBe(4444);
    expect(problemsOf({ [variable]: 'missing.json' })).toEqual([
      `The configuration file missing.json (from ${variable}) does not exist; it was looked for at ${join(cwd, 'missing.json')}.`,
    ]);
    expect(problemsOf({ [variable]: '/nowhere/lrs.json' })).toEqual([
      `The configuration file /nowhere/lrs.json (from ${variable}) does not exist.`,
    ]);
    expect(problemsOf({ [variable]: '.' })).toEqual([
      `The configuration file . (from ${variable}) can't be read (EISDIR); it was looked for at ${cwd}.`,
    ]);
  });

  it('accepts LRSQL_ names, the irregular ones too, and counts an empty variable as not set', () => {
    writeConfig('', 'a.pem');
    writeConfig('', 'b.pem');
    const { config } = load({
      LRSQL_HTTP_PORT: '5555',
      LRSQL_CHECK_SNI: 'false',
      LRSQL_KEY_CERT_FILE: 'a.pem,b.pem',
      LRS_SSL_PORT: '',
    });
    expect(config.webserver).toMatchObject({
      httpPort: 5555,
      keyCertChain: ['a.pem', 'b.pem'],
      sslPort: 8443,
    });
  });

  it('lets LRS_ win over LRSQL_, with a warning only when they differ', () => {
    const different = load({ LRSQL_HTTP_PORT: '1', LRS_HTTP_PORT: '2' });
    expect(different.config.webserver.httpPort).toBe(2);
    expect(different.warnings).toEqual([
      'LRS_HTTP_PORT and LRSQL_HTTP_PORT set webserver.httpPort to different values; LRS_HTTP_PORT counts.',
    ]);
    expect(load({ LRSQL_HTTP_PORT: '2', LRS_HTTP_PORT: '2' }).warnings).toEqual([]);
  });

  it('warns of a variable of lrsql that replaces another value of the file, which would count there', () => {
    writeConfig({ webserver: { httpPort: 5555, secHeadFrame: 'DENY' }, lrs: { stmtGetMax: 7 } });
    const { config, warnings } = load({
      LRSQL_HTTP_PORT: '5556',
      LRS_STMT_GET_MAX: '8',
      LRSQL_SEC_HEAD_FRAME: 'DENY',
    });
    expect(config.webserver.httpPort).toBe(5556);
    expect(warnings).toEqual([
      'LRSQL_HTTP_PORT replaces webserver.httpPort of config/lrs.json; in lrsql the file would count.',
    ]);
  });

  it('reads the file at the place where lrsql looks for it when there is no other one', () => {
    const port = (httpPort: number, name: string): void => writeConfig({ webserver: { httpPort } }, name);
    port(5001, 'config/lrsql.json');
    expect(load().config.webserver.httpPort).toBe(5001);
    port(5002, 'config/lrs.json');
    expect(load().config.webserver.httpPort).toBe(5002);
    port(5003, 'config/named.json');
    expect(load({ LRS_CONFIG: 'config/named.json' }).config.webserver.httpPort).toBe(5003);
    rmSync(join(cwd, 'config/lrs.json'));
    writeConfig('{', 'config/lrsql.json');
    expect(problemsOf()).toEqual(['config/lrsql.json is not valid JSON at line 1, column 2.']);
  });

  it('uses the authority template at its default place only when it exists', () => {
    expect(load().config.lrs.authorityTemplate).toBeNull();
    writeConfig('{}', 'config/authority.json.template');
    expect(load().config.lrs.authorityTemplate).toBe('config/authority.json.template');
    expect(problemsOf({ LRS_AUTHORITY_TEMPLATE: 'nowhere' })).toEqual([
      'lrs.authorityTemplate (from LRS_AUTHORITY_TEMPLATE) names a file that does not exist.',
    ]);
  });

  it('leaves the variables of tests and of other programs alone', () => {
    expect(
      load({ LRS_TEST_POSTGRES_URL: 'x', LRSQL_TEST_DB_VERSION: 'y', HOME: '/', LRSX_FOO: '1' }).warnings,
    ).toEqual([]);
  });
});

describe('mistakes', () => {
  it('names the nearest known name for an unknown one', () => {
    writeConfig({ lrs: { stmtGetMx: 3 }, webservr: {}, httpPort: 1, logger: 'INFO' });
    expect(problemsOf({ LRS_ADMIN_USR_DEFAULT: 'x', LRSQL_HTP_PORT: '1' })).toEqual([
      'lrs.stmtGetMx in config/lrs.json is not a known key; the nearest is lrs.stmtGetMax.',
      '"webservr" in config/lrs.json is not a known group; the nearest is webserver.',
      '"httpPort" in config/lrs.json must stand inside a group: "webserver".',
      '"logger" in config/lrs.json must be a JSON object of settings.',
      'LRS_ADMIN_USR_DEFAULT is not a known setting; the nearest is LRS_ADMIN_USER_DEFAULT.',
      'LRSQL_HTP_PORT is not a known setting; the nearest is LRS_HTTP_PORT.',
    ]);
  });

  it('names none that is far from it', () => {
    writeConfig({ lrs: { colour: 3 }, stuff: {} });
    expect(problemsOf({ LRS_QUX: 'x', LRSQL_HOMEPAGE: 'y' })).toEqual([
      'lrs.colour in config/lrs.json is not a known key; docs/configuration.md lists all.',
      '"stuff" in config/lrs.json is not a known group; docs/configuration.md lists all.',
      'LRS_QUX is not a known setting; docs/configuration.md lists all.',
      'LRSQL_HOMEPAGE is not a known setting; docs/configuration.md lists all.',
    ]);
  });

  it('names each file of key and certificate that is set and not there', () => {
    writeConfig({ webserver: { keyPkeyFile: 'config/mine.pem' } });
    writeConfig('', 'there.pem');
    expect(problemsOf({ LRS_KEY_CERT_CHAIN: 'there.pem,missing.pem' })).toEqual([
      'webserver.keyPkeyFile (from config/lrs.json) names config/mine.pem, which does not exist.',
      'webserver.keyCertChain (from LRS_KEY_CERT_CHAIN) names missing.pem, which does not exist.',
    ]);
  });

  it('says for each bad value where it was set and what is expected', () => {
    writeConfig({ lrs: { stmtGetMax: 'many', stmtGetMaxBytes: 1.5 } });
    expect(problemsOf({ LRS_ENABLE_HTTP: 'yes', LRS_HTTP_PORT: '65536', LRS_LOG_LEVEL: 'loud' })).toEqual([
      'lrs.stmtGetMax (from config/lrs.json) must be a whole number, at least 1, not "many".',
      'lrs.stmtGetMaxBytes (from config/lrs.json) must be a whole number, at least 1024, not 1.5.',
      'webserver.enableHttp (from LRS_ENABLE_HTTP) must be true or false, not "yes".',
      'webserver.httpPort (from LRS_HTTP_PORT) must be a whole number, at least 0, at most 65535, not "65536".',
      'logger.logLevel (from LRS_LOG_LEVEL) must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL, not "loud".',
    ]);
  });

  it.each([
    ['LRS_URL_PREFIX', 'xapi'],
    ['LRS_URL_PREFIX', '/xapi/'],
    ['LRS_URL_PREFIX', '/admin'],
    ['LRS_URL_PREFIX', '/admin/x'],
    ['LRS_URL_PREFIX', '/'],
    ['LRS_PROXY_PATH', '/p/'],
    ['LRS_AUTHORITY_URL', 'example.org'],
    ['LRS_JWT_EXP_TIME', '-1'],
    ['LRS_SUPPORTED_VERSIONS', '1.0.3,1.0.4'],
    ['LRS_SUPPORTED_VERSIONS', '1.0.3,1.0.3'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(`(from ${name}) must be `)]);
  });

  it.each(['LRS_OTLP_ENDPOINT', 'LRS_ATTACHMENT_ENDPOINT'])(
    'refuses a login in %s, and shows none, also in what is no address',
    (name) => {
      for (const scheme of ['http', 'ftp', 'ht!tp']) {
        const problems = problemsOf({ [name]: `${scheme}://ann:hidden-word@collector.example` });
        expect(problems).toEqual([
          expect.stringMatching(
            `\\(from ${name}\\) must be an http or https address without user and password\\.$`,
          ),
        ]);
      }
    },
  );

  it('refuses a file that is no JSON object of groups, without quoting it', () => {
    writeConfig('{"lrs":\n  {"adminPassDefault": hidden-Secret1}}');
    expect(problemsOf()).toEqual(['config/lrs.json is not valid JSON at line 2, column 24.']);
    writeConfig('[]');
    expect(problemsOf()).toEqual([
      expect.stringMatching(/^config\/lrs\.json must hold a JSON object of groups/),
    ]);
  });

  it('refuses a key that stands in two groups', () => {
    writeConfig({ lrs: { httpPort: 1 }, webserver: { httpPort: 2 } });
    expect(problemsOf()).toEqual([
      'httpPort stands twice in config/lrs.json; it belongs in the group "webserver".',
    ]);
  });
});

describe('settings that depend on each other', () => {
  it('lets defaults follow the setting that bounds them', () => {
    expect(load({ LRS_STMT_GET_MAX: '20' }).config.lrs.stmtGetDefault).toBe(20);
    expect(load({ LRS_STMT_GET_MAX: '500' }).config.lrs.stmtGetDefault).toBe(50);
    expect(load({ LRS_JWT_EXP_TIME: '120' }).config.webserver).toMatchObject({
      jwtRefreshInterval: 118,
      jwtInteractionWindow: 118,
    });
  });

  it('refuses a pair of which one is missing', () => {
    expect(problemsOf({ LRS_ADMIN_USER_DEFAULT: 'adminuser' })).toEqual([
      'lrs.adminUserDefault (from LRS_ADMIN_USER_DEFAULT) is set without lrs.adminPassDefault; they go together.',
    ]);
    expect(problemsOf({ LRS_API_SECRET_DEFAULT: 's' })).toEqual([
      'lrs.apiSecretDefault (from LRS_API_SECRET_DEFAULT) is set without lrs.apiKeyDefault; they go together.',
    ]);
  });

  it.each([
    [{ LRS_STMT_GET_MAX: '20', LRS_STMT_GET_DEFAULT: '21' }, 'lrs.stmtGetDefault'],
    [{ LRS_JWT_EXP_TIME: '60', LRS_JWT_REFRESH_INTERVAL: '60' }, 'webserver.jwtRefreshInterval'],
    [{ LRS_JWT_REFRESH_INTERVAL: '60', LRS_JWT_INTERACTION_WINDOW: '61' }, 'webserver.jwtInteractionWindow'],
  ])('refuses %o', (env, key) => {
    expect(problemsOf(env)).toEqual([expect.stringContaining(`${key} (from `)]);
  });

  it('refuses one port for both listeners, a default among them, but not two free ones', () => {
    expect(problemsOf({ LRS_HTTP_PORT: '8443' })).toEqual([
      'webserver.httpPort (from LRS_HTTP_PORT) and webserver.sslPort (from the default) must differ.',
    ]);
    expect(load({ LRS_HTTP_PORT: '0', LRS_SSL_PORT: '0' }).config.webserver.sslPort).toBe(0);
  });

  it('warns of a key pair without account and of a short secret for tokens', () => {
    const { warnings } = load({
      LRS_API_KEY_DEFAULT: 'k',
      LRS_API_SECRET_DEFAULT: 's',
      LRS_JWT_COMMON_SECRET: 'short',
    });
    expect(warnings).toEqual([
      expect.stringContaining('lrs.apiKeyDefault has no effect'),
      expect.stringContaining('webserver.jwtCommonSecret is short'),
    ]);
  });

  it('warns of less memory for all request bodies than one of them may have', () => {
    expect(load({ LRS_MAX_BODY_BYTES: '4096', LRS_MAX_BUFFERED_BODY_BYTES: '4095' }).warnings).toEqual([
      expect.stringMatching(/^webserver\.maxBufferedBodyBytes is lower than webserver\.maxBodyBytes: /),
    ]);
    expect(load({ LRS_MAX_BODY_BYTES: '4096', LRS_MAX_BUFFERED_BODY_BYTES: '4096' }).warnings).toEqual([]);
  });
});

describe('tokens of a proxy', () => {
  const env = {
    LRS_JWT_NO_VAL: 'true',
    LRS_JWT_NO_VAL_UNAME: 'sub',
    LRS_JWT_NO_VAL_ISSUER: 'iss',
    LRS_JWT_NO_VAL_ROLE_KEY: 'roles',
    LRS_JWT_NO_VAL_ROLE: 'admin',
  };

  it('are accepted with a warning when user, issuer and role can be told', () => {
    const { config, warnings } = load(env);
    expect(config.webserver).toMatchObject({ jwtNoVal: true, jwtNoValRole: 'admin', jwtNoValUname: 'sub' });
    expect(warnings).toEqual([expect.stringMatching(/^webserver\.jwtNoVal is on: /)]);
    expect(load().config.webserver).toMatchObject({ jwtNoVal: false, jwtNoValRole: null });
  });

  it('need all four of those settings', () => {
    expect(problemsOf({ ...env, LRS_JWT_NO_VAL_ROLE: '', LRS_JWT_NO_VAL_UNAME: '' })).toEqual([
      'webserver.jwtNoVal (from LRS_JWT_NO_VAL) is set without webserver.jwtNoValUname, webserver.jwtNoValRole; they go together.',
    ]);
    expect(problemsOf({ LRS_JWT_NO_VAL: 'true' }).join()).toContain('webserver.jwtNoValIssuer');
  });
});

describe('the settings of reactions', () => {
  it('switch reactions on, in a version that the server supports', () => {
    const { config } = load({ LRS_ENABLE_REACTIONS: 'true', LRS_REACTION_VERSION: '2.0.0' });
    expect(config.lrs).toMatchObject({ enableReactions: true, reactionVersion: '2.0.0' });
  });

  it('refuse a version of reactions that the server does not support, also when it is the default', () => {
    const env = { LRS_ENABLE_REACTIONS: 'true', LRS_SUPPORTED_VERSIONS: '2.0.0' };
    expect(problemsOf(env)).toEqual([
      'lrs.reactionVersion (from the default) is 1.0.3, which lrs.supportedVersions (from LRS_SUPPORTED_VERSIONS) does not list.',
    ]);
    expect(load({ LRS_SUPPORTED_VERSIONS: '2.0.0' }).config.lrs.enableReactions).toBe(false);
  });

  it('accept a buffer size with a warning, because nothing is ever dropped', () => {
    expect(load({ LRS_REACTION_BUFFER_SIZE: '5' }).warnings).toEqual([
      'lrs.reactionBufferSize (from LRS_REACTION_BUFFER_SIZE) has no effect: statements that may trigger reactions are read from the store, and none is dropped.',
    ]);
  });
});

describe('what has no effect here', () => {
  it('accepts with a warning what only means something elsewhere', () => {
    const { config, warnings } = load({ LRS_POOL_ENABLE_JMX: 'true', LRS_KEY_FILE: 'keystore.jks' });
    expect(warnings).toEqual([
      'connection.poolEnableJmx (from LRS_POOL_ENABLE_JMX) has no effect: it only means something on the JVM.',
      'webserver.keyFile (from LRS_KEY_FILE) has no effect: it only means something on the JVM.',
    ]);
    expect(config).toEqual(load().config);
  });
});

describe('secrets', () => {
  const secretKeys = [...keys.values()].filter((key) => key.meta.secret === true);

  it('stand apart from the configuration, which can be printed', () => {
    // URLs are no secrets of their own, but hold some; they are tested apart.
    const settable = secretKeys.filter(({ name }) => name !== 'dbJdbcUrl' && name !== 'storesServers');
    const env = Object.fromEntries(settable.map((key) => [`LRS_${key.envNames[0]}`, `hidden-${key.name}`]));
    const loaded = load({ ...env, LRS_ADMIN_USER_DEFAULT: 'adminuser', LRS_API_KEY_DEFAULT: 'key' });
    expect(loaded.secrets).toEqual(
      Object.fromEntries(settable.map((key) => [key.name, `hidden-${key.name}`])),
    );
    expect(JSON.stringify([loaded.config, loaded.warnings])).not.toContain('hidden');
  });

  it.each(secretKeys.map((key) => [key.name, key] as const))(
    'never show in a problem with %s',
    (name, key) => {
      writeConfig({ [key.group]: { [name]: { value: 'hidden' } } });
      expect(problemsOf().join()).toContain(`${key.group}.${name}`);
      expect(problemsOf().join()).not.toContain('hidden');
      rmSync(join(cwd, 'config/lrs.json'));
      const conflict = {
        [`LRS_${key.envNames[0]}`]: 'hidden1',
        [`LRSQL_${key.envNames[0]}`]: 'hidden2',
        LRS_WRONG: 'x',
      };
      expect(problemsOf(conflict).join()).not.toContain('hidden');
    },
  );

  it('are, like the configuration, not to be changed', () => {
    const { config, secrets } = load();
    expect(
      [config, config.lrs, config.lrs.supportedVersions, config.webserver.keyCertChain, secrets].every(
        Object.isFrozen,
      ),
    ).toBe(true);
  });

  it.each(['[Default]', '[off]', '[]'])(
    'refuses a security header with an unknown word in brackets: %s',
    (value) => {
      expect(() => loadConfig({ env: { LRS_SEC_HEAD_XSS: value }, cwd: '/nowhere' })).toThrow(
        /webserver\.secHeadXss \(from LRS_SEC_HEAD_XSS\) must be .*, in brackets only \[default\] or \[none\]/,
      );
    },
  );
});
