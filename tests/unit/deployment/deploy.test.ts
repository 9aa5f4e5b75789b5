import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deploy } from '../../../scripts/deployment/deploy.ts';
import { destroy } from '../../../scripts/deployment/destroy.ts';

const password = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:lrs-AbCdEf:password';
const existing = {
  LRS_DB_TYPE: 'postgres',
  LRS_DB_HOST: 'db.example.org',
  LRS_DB_USER: 'lrs',
  LRS_DB_PASSWORD: password,
};
const outputs = { Address: 'https://abc.example.org', FirstPasswordSecret: 'arn:first' };

/** In the place of Serverless: notes its calls, fails as often as it is told to, and leaves the outputs of a stack. */
const standIn = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const command = process.argv.slice(2).join(' ');
appendFileSync('calls', command + '\\n');
const calls = readFileSync('calls', 'utf8').split('\\n').filter((call) => call === command).length;
const [name, failures] = (process.env.STAND_IN_FAILS ?? ' 0').split(' ');
if (command.startsWith(name) && name !== '' && calls <= Number(failures)) process.exit(1);
if (command.startsWith('deploy')) {
  mkdirSync('.serverless', { recursive: true });
  writeFileSync('.serverless/outputs.json', process.env.STAND_IN_OUTPUTS);
}
`;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'deploy-'));
  writeFileSync(join(cwd, 'serverless.cjs'), standIn);
});
afterEach(() => rmSync(cwd, { recursive: true }));

const calls = (): string[] => {
  try {
    return readFileSync(join(cwd, 'calls'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};

async function run(
  command: 'deploy' | 'destroy',
  argv: readonly string[],
  { env = {}, answer }: { env?: Readonly<Record<string, string>>; answer?: string } = {},
) {
  const lines: string[] = [];
  const built: string[] = [];
  const tools = {
    argv,
    env: { PATH: process.env.PATH, STAND_IN_OUTPUTS: JSON.stringify(outputs), ...env },
    cwd,
    program: join(cwd, 'serverless.cjs'),
    print: (line: string) => lines.push(line),
  };
  const code =
    command === 'deploy'
      ? await deploy({
          ...tools,
          migrationPause: 0,
          build: async () => {
            built.push('built');
          },
        })
      : await destroy({ ...tools, ask: async () => answer });
  return { code, text: lines.join('\n'), built };
}

describe.each(['deploy', 'destroy'] as const)('npm run %s', (command) => {
  it('says what the command is when it is another one', async () => {
    const misspelt = await run(command, ['--stage', 'prod', '--dryrun'], { env: existing });
    expect(misspelt.code).toBe(2);
    expect(misspelt.text).toContain("Unknown option '--dryrun'. The command is: ");
    expect(misspelt.text).toContain(`npm run ${command} -- --stage prod`);
    // What npm makes of `npm run deploy --stage prod`.
    const withoutDashes = await run(command, ['prod'], { env: existing });
    expect(withoutDashes.code).toBe(2);
    expect(withoutDashes.text).toContain(`npm run ${command} -- --stage prod`);
    expect([...calls(), ...misspelt.built, ...withoutDashes.built]).toEqual([]);
  });

  it('says that the stage has no file of settings, where that may be the mistake', async () => {
    const note = 'There is no file .env.prdo: all settings come from the environment, or are the defaults.';
    expect((await run(command, ['--stage', 'prdo', '--dry-run'])).text).toContain(note);
    writeFileSync(join(cwd, '.env.prdo'), '');
    expect((await run(command, ['--stage', 'prdo', '--dry-run'])).text).not.toContain(note);
  });
});

describe('npm run deploy', () => {
  it('builds, deploys and migrates, and tells address, first login and cost', async () => {
    const { code, text, built } = await run('deploy', ['--stage', 'prod'], { env: existing });
    expect(code, text).toBe(0);
    expect(built).toEqual(['built']);
    expect(calls()).toEqual(['deploy --stage prod', 'invoke --function migrate --stage prod']);
    expect(text).toContain('Address:      https://abc.example.org');
    expect(text).toContain('First login:  admin');
    expect(text).toContain('--secret-id arn:first');
    expect(text).toMatch(/\$\d+\.\d\d per million requests/);
  });

  it('creates nothing when settings are wrong, and names every mistake at once', async () => {
    const env = {
      ...existing,
      LRS_DB_PASSWORD: 'hush-hush',
      LRS_HTTP_PRT: '1',
      DEPLOY_MEMORY: 'much',
      DEPLOY_DOMAIN: 'lrs.example.org',
      DEPLOY_REGON: 'eu-west-1',
    };
    const { code, text, built } = await run('deploy', ['--stage', 'prod'], { env });
    expect(code).toBe(1);
    expect([...calls(), ...built]).toEqual([]);
    expect(text.split('\n')).toEqual([
      'Nothing was created, because of these settings:',
      '- DEPLOY_REGON is not a known setting; docs/deploy-aws.md lists all.',
      '- DEPLOY_MEMORY must be a whole number from 128 to 10240, not "much".',
      '- DEPLOY_DOMAIN and DEPLOY_CERTIFICATE_ARN go together.',
      '- LRS_HTTP_PRT is not a known setting; the nearest is LRS_HTTP_PORT.',
      expect.stringContaining('database.dbPassword (from LRS_DB_PASSWORD) is a secret in plain text'),
      expect.stringContaining('There is no file .env.prod'),
    ]);
    expect(text).not.toContain('hush-hush');
  });

  it.each([
    [{}, 'The database is SQLite'],
    [{ ...existing, DEPLOY_DATABASE: 'aurora' }, 'LRS_DB_HOST is set, but DEPLOY_DATABASE=aurora makes'],
    [
      { ...existing, DEPLOY_ATTACHMENTS: 's3', LRS_ATTACHMENT_BUCKET: 'mine' },
      'LRS_ATTACHMENT_BUCKET is set, but DEPLOY_ATTACHMENTS=s3 makes a bucket',
    ],
    [{ ...existing, DEPLOY_SUBNET_IDS: 'subnet-0a' }, 'DEPLOY_SECURITY_GROUP_IDS go together'],
    [{ ...existing, LRS_ADMIN_LANGUAGE: 'x'.repeat(4096) }, 'and Lambda takes 4096'],
    [
      {
        DEPLOY_DATABASE: 'aurora',
        LRS_JWT_COMMON_SECRET: 'arn:aws:ssm:eu-central-1:123456789012:parameter/tokens',
      },
      "can't be read from the network that DEPLOY_DATABASE=aurora makes",
    ],
  ])('refuses settings that could not work: %j', async (env, problem) => {
    const { code, text } = await run('deploy', ['--stage', 'prod'], { env });
    expect(code).toBe(1);
    expect(calls()).toEqual([]);
    expect(text).toContain(problem);
  });

  it('prints the plan only with --dry-run', async () => {
    const { code, text } = await run('deploy', ['--stage', 'prod', '--dry-run'], {
      env: { DEPLOY_DATABASE: 'aurora', DEPLOY_ATTACHMENTS: 's3' },
    });
    expect(code, text).toBe(0);
    expect(text).toContain('- a bucket of S3 for large attachments');
    expect(calls()).toEqual([]);
    expect(text).toContain('a network of two private subnets with Aurora Postgres');
    expect(text).toContain('nothing while it is paused');
  });

  it('takes settings from the file of the stage, and those of the environment before them', async () => {
    const file = Object.entries({ ...existing, DEPLOY_REGION: 'eu-west-1', DEPLOY_DOMAIN: '' });
    writeFileSync(join(cwd, '.env.prod'), file.map(([name, value]) => `${name}=${value}`).join('\n'));
    const { text } = await run('deploy', ['--stage', 'prod', '--dry-run']);
    expect(text).toContain('Stage prod in eu-west-1');
    const other = { env: { DEPLOY_REGION: 'us-east-1' } };
    expect((await run('deploy', ['--stage', 'prod', '--dry-run'], other)).text).toContain('in us-east-1');
  });

  it('tries the migration again while the database wakes up', async () => {
    const env = { ...existing, STAND_IN_FAILS: 'invoke 2' };
    const { code } = await run('deploy', ['--stage', 'prod'], { env });
    expect(code).toBe(0);
    expect(calls().filter((call) => call.startsWith('invoke'))).toHaveLength(3);
  });

  it('says how to go on when Serverless fails', async () => {
    const env = { ...existing, STAND_IN_FAILS: 'deploy 1' };
    const { code, text } = await run('deploy', ['--stage', 'prod'], { env });
    expect(code).toBe(1);
    expect(calls()).toEqual(['deploy --stage prod']);
    expect(text).toContain('npm run destroy -- --stage prod');
  });

  it('wants a stage', async () => {
    expect((await run('deploy', [])).code).toBe(2);
  });
});

describe('npm run destroy', () => {
  it('says what goes and what stays, and removes it when the name of the stage is typed', async () => {
    const { code, text } = await run('destroy', ['--stage', 'prod'], {
      env: { DEPLOY_DATABASE: 'aurora', DEPLOY_ATTACHMENTS: 's3' },
      answer: 'prod',
    });
    expect(text).toContain('- the bucket with large attachments');
    expect(code).toBe(0);
    expect(calls()).toEqual(['remove --stage prod']);
    expect(text).toContain('the Aurora database with all statements');
    expect(text).toContain('- a snapshot of the database');
  });

  it.each([['no'], [undefined]])('removes nothing when the answer is %s', async (answer) => {
    const given = answer === undefined ? {} : { answer };
    const { code, text } = await run('destroy', ['--stage', 'prod'], { env: existing, ...given });
    expect(code).toBe(1);
    expect(calls()).toEqual([]);
    expect(text).toContain('- the database with everything in it');
    expect(text).toContain('Nothing was removed.');
  });

  it('asks nothing with --yes', async () => {
    expect((await run('destroy', ['--stage', 'prod', '--yes'], { env: existing })).code).toBe(0);
    expect(calls()).toEqual(['remove --stage prod']);
  });

  it('removes nothing with --dry-run', async () => {
    expect((await run('destroy', ['--stage', 'prod', '--dry-run'], { env: existing })).code).toBe(0);
    expect(calls()).toEqual([]);
  });
});
