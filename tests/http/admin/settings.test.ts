import { afterEach, describe, expect, it } from 'vitest';
import { type Key, keys } from '../../../config/schema/keys.ts';
import { engineFacts } from '../../../lib/db/dialects/facts.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { type Administration, administrations, expectError } from '../../support/admin-client.ts';
import { firstAccount } from '../../support/entrance.ts';
import { parsed } from '../../support/lrs-client.ts';

interface Setup {
  readonly settings: readonly Readonly<Record<string, unknown>>[];
}

describe.each(administrations)('GET /admin/settings, on $name', ({ open, name }) => {
  let lrs: Administration;
  afterEach(() => lrs?.close());

  const setup = async () =>
    parsed(await lrs.call('GET', '/admin/settings', { token: await lrs.login() })) as Setup;
  const shown = async (key: string) => (await setup()).settings.find((setting) => setting.key === key);

  it('says what runs here', async () => {
    const before = Date.now();
    lrs = await open({ LRS_SUPPORTED_VERSIONS: '1.0.3' });
    const { started, ...rest } = parsed(
      await lrs.call('GET', '/admin/settings', { token: await lrs.login() }),
    ) as Record<string, unknown>;
    expect(Date.parse(String(started))).toBeGreaterThanOrEqual(before);
    expect(rest).toEqual({
      version: packageJson.version,
      node: process.versions.node,
      'supported-versions': ['1.0.3'],
      database: {
        engine: expect.toBeOneOf(engineFacts.map(({ name }) => name)),
        version: expect.stringMatching(/^\d+\.\d+/),
        size: expect.any(Number),
        schema: expect.stringMatching(/^\d{4}-/),
      },
      settings: expect.any(Array),
    });
    const { database } = rest as { database: { engine: string; size: number } };
    expect(name.toLowerCase()).toContain(database.engine);
    expect(database.size).toBeGreaterThan(100_000);
  });

  it('shows every setting that has an effect, its value and whether it is the default', async () => {
    lrs = await open({ LRS_STMT_GET_MAX: '10' });
    expect(await shown('stmtGetMax')).toEqual({
      group: 'lrs',
      key: 'stmtGetMax',
      env: 'LRS_STMT_GET_MAX',
      default: false,
      value: 10,
    });
    expect(await shown('stmtGetDefault')).toMatchObject({ default: true, value: 10 });
    expect(await shown('oidcIssuer')).toMatchObject({ default: true, value: null });
    expect(await shown('poolMaximumSize')).toMatchObject({ group: 'connection', value: 10 });
    expect(await shown('keyCertChain')).toMatchObject({
      value: ['config/server.crt.pem', 'config/cacert.pem'],
    });
    expect(await shown('enableHttp2')).toBeUndefined();
    expect(await shown('dbName')).toMatchObject({ default: false, value: expect.stringMatching(/./) });
  });

  it('shows no secret, only whether it is set', async () => {
    // A server lets nobody in with another password than its own; for SQLite any will do.
    const isServer = !name.startsWith('SQLite');
    // The URL stands for the database of the test; tests/unit/config/database.test.ts has it.
    const elsewhere = ['dbJdbcUrl', ...(isServer ? ['dbPassword'] : [])];
    const secretKeys = [...keys.values()].filter(
      ({ name, meta }) => meta.secret && !elsewhere.includes(name),
    );
    const secrets = new Map(
      secretKeys.map((key, index) => [key, `N0body-may-see-${index}-${'x'.repeat(32)}`]),
    );
    const settingOf = ({ name }: Key, secret: string): string =>
      name === 'storesServers' ? `second=postgresql://lrs:${secret}@localhost/lrs` : secret;
    expect(secrets.size).toBeGreaterThan(4);
    const env = Object.fromEntries(
      [...secrets].map(([key, secret]) => [`LRS_${key.envNames[0]}`, settingOf(key, secret)]),
    );
    lrs = await open({ ...env, LRS_API_KEY_DEFAULT: 'a-key' });
    const account = { username: firstAccount.username, password: env.LRS_ADMIN_PASS_DEFAULT ?? '' };
    const token = await lrs.login(account);
    const answer = await lrs.call('GET', '/admin/settings', { token });
    const { settings } = parsed(answer) as Setup;
    for (const [{ name, group, envNames }, secret] of secrets) {
      expect(answer.body.toString()).not.toContain(secret);
      const shown = { group, key: name, env: `LRS_${envNames[0]}`, default: false, secret: true, set: true };
      expect(settings.find(({ key }) => key === name)).toEqual(shown);
    }
  });

  it('says of a secret that is not set that it is not', async () => {
    lrs = await open();
    expect(await shown('credentialKey')).toEqual({
      group: 'lrs',
      key: 'credentialKey',
      env: 'LRS_CREDENTIAL_KEY',
      default: true,
      secret: true,
      set: false,
    });
  });

  it('needs a login', async () => {
    lrs = await open();
    expectError(await lrs.call('GET', '/admin/settings'), 401);
  });
});
