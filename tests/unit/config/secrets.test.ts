import { describe, expect, it } from 'vitest';
import { ConfigError, type LoadedConfig, loadConfig, loadConfigWithSecrets } from '../../../config/config.ts';
import { withNamedSecrets } from '../../../config/named-secrets.ts';
import { standInAws } from '../../support/stand-in-aws.ts';

const secretArn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:lrs/prod-AbCdEf';
const parameterArn = 'arn:aws:ssm:eu-central-1:123456789012:parameter/lrs/admin';
const database = { LRS_DB_TYPE: 'postgres', LRS_DB_USER: 'lrs' };

const load = (env: Readonly<Record<string, string>>): Promise<LoadedConfig> =>
  loadConfigWithSecrets({ env, cwd: import.meta.dirname });

async function problemsOf(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const error = await load(env).catch((reason: unknown) => reason);
  if (error instanceof ConfigError) return error.problems;
  throw new Error('The configuration was accepted.');
}

describe('secrets that are named by an ARN', () => {
  it('are read from Secrets Manager and the Parameter Store with signed requests, each secret once', async () => {
    const aws = await standInAws(({ target }) =>
      target.startsWith('secretsmanager')
        ? { body: { SecretString: '{"password":"from the manager","key":"k"}' } }
        : { body: { Parameter: { Value: 'from the store' } } },
    );
    const { secrets, config } = await load({
      ...aws.env,
      ...database,
      LRS_DB_PASSWORD: `${secretArn}:password::`,
      LRS_CREDENTIAL_KEY: `${secretArn}:key`,
      LRS_ADMIN_USER_DEFAULT: 'first',
      LRS_ADMIN_PASS_DEFAULT: parameterArn,
    });
    expect(secrets).toMatchObject({
      dbPassword: 'from the manager',
      credentialKey: 'k',
      adminPassDefault: 'from the store',
    });
    expect(JSON.stringify(config)).not.toMatch(/from the/);
    const [manager, ...others] = aws.requests.sort((a, b) => b.target.localeCompare(a.target));
    expect(manager?.body).toEqual({ SecretId: secretArn });
    expect(others.map(({ body }) => body)).toEqual([{ Name: parameterArn, WithDecryption: true }]);
    expect(manager?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/secretsmanager\/aws4_request/,
    );
    expect(manager?.headers['x-amz-security-token']).toBe('session');
  });

  it('may be plain texts as before, for which nothing is asked', async () => {
    const { secrets } = await load({ ...database, LRS_DB_PASSWORD: 'plain' });
    expect(secrets.dbPassword).toBe('plain');
  });

  it('are named in the problem when AWS refuses them, without what AWS says', async () => {
    const aws = await standInAws(() => ({
      status: 400,
      body: { __type: 'com.amazon#AccessDeniedException', message: 'hush' },
    }));
    expect(await problemsOf({ ...aws.env, ...database, LRS_DB_PASSWORD: secretArn })).toEqual([
      'database.dbPassword (from LRS_DB_PASSWORD) names a secret of AWS that could not be read: Secrets Manager refuses to give it (AccessDeniedException).',
    ]);
  });

  it.each([
    ['{"user":"hush"}', 'it has no text under "password"'],
    ['hush', 'it holds no JSON, so there is no "password" in it'],
  ])('are not shown when the member is missing: %s', async (SecretString, reason) => {
    const aws = await standInAws(() => ({ body: { SecretString } }));
    const [problem] = await problemsOf({
      ...aws.env,
      ...database,
      LRS_DB_PASSWORD: `${secretArn}:password`,
    });
    expect(problem).toContain(reason);
    expect(problem).not.toContain('hush');
  });

  it('are read later where the configuration alone is enough at first', async () => {
    const aws = await standInAws(() => ({ body: { SecretString: 'read later' } }));
    const named = { env: { ...aws.env, ...database, LRS_DB_PASSWORD: secretArn }, cwd: import.meta.dirname };
    const loaded = loadConfig(named);
    expect(aws.requests).toEqual([]);
    expect((await withNamedSecrets(loaded, named)).secrets.dbPassword).toBe('read later');
    const plain = { ...named, env: { ...database, LRS_DB_PASSWORD: 'plain' } };
    const complete = loadConfig(plain);
    expect(await withNamedSecrets(complete, plain)).toBe(complete);
  });

  it('must be named in full', async () => {
    const [problem] = await problemsOf({
      ...database,
      LRS_DB_PASSWORD: 'arn:aws:secretsmanager:eu-central-1:secret',
    });
    expect(problem).toContain('database.dbPassword (from LRS_DB_PASSWORD) must be a secret, or name one');
  });

  it('need credentials', async () => {
    const [problem] = await problemsOf({ ...database, LRS_DB_PASSWORD: secretArn });
    expect(problem).toContain('this process has no AWS credentials');
  });
});
