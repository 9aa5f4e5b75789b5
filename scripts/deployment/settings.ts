import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError, loadConfigWithSecrets } from '../../config/config.ts';
import { keys } from '../../config/schema/keys.ts';
import { collect } from '../../config/sources.ts';
import { claimsReference, parseReference } from '../../lib/aws/secret-reference.ts';
import { isOnServer } from '../../lib/db/dialects/facts.ts';
import { describeService } from '../../ops/aws/service.cjs';
import { readDeployment } from '../../ops/aws/settings.cjs';

type Environment = Readonly<Record<string, string | undefined>>;

/** What Lambda takes as environment variables, in bytes. */
const largestEnvironment = 4096;

/** The environment with what `.env.STAGE` sets beside it; the environment wins. */
export function stageEnvironment(
  stage: string,
  { env, cwd }: { env: Environment; cwd: string },
): Environment {
  const file = join(cwd, `.env.${stage}`);
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...env } : env;
}

/** Without the file of a stage, what is said may be about another stage than the one that was meant. */
export function noteMissingFile(
  stage: string,
  { cwd, print }: { readonly cwd: string; print(line: string): void },
): void {
  if (existsSync(join(cwd, `.env.${stage}`))) return;
  print(`There is no file .env.${stage}: all settings come from the environment, or are the defaults.`);
}

/** One sentence per mistake in the settings of a deployment; none when it may begin. Shows no secret. */
export async function problemsOf(stage: string, env: Environment, cwd: string): Promise<string[]> {
  const { deployment, problems } = readDeployment(env);
  return [
    ...(/^[a-z][a-z0-9-]{0,19}$/.test(stage)
      ? []
      : ['--stage must be at most 20 small letters, digits and hyphens, and begin with a letter.']),
    ...problems,
    ...(await configurationProblems(env, cwd)),
    ...plainSecrets(env, cwd),
    ...(deployment.database === 'aurora' ? unreachableSecrets(env, deployment.region) : []),
    ...sizeProblems(env),
  ];
}

/** What the functions would find wrong; secrets that are named count as there. */
async function configurationProblems(env: Environment, cwd: string): Promise<string[]> {
  const { environment } = describeService(lrsSettings(env), env, false);
  const known = Object.entries(environment).map(([name, value]) => [
    name,
    // What the stack itself makes has no value yet.
    typeof value === 'string' ? value : 'made-by-the-stack',
  ]);
  const settings: Environment = { ...env, ...Object.fromEntries(known) };
  try {
    const { config } = await loadConfigWithSecrets({ env: settings, cwd }, async () => 'x'.repeat(40));
    return isOnServer(config.database)
      ? []
      : [
          'The database is SQLite, a file that each instance of a function would have for itself: set DEPLOY_DATABASE=aurora, or LRS_DB_TYPE to postgres or mariadb and LRS_DB_HOST.',
        ];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems];
    throw error;
  }
}

function lrsSettings(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => /^LRS(QL)?_(?!TEST_)/.test(entry[0]) && Boolean(entry[1]),
    ),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function secretsGiven(env: Environment, cwd: string): { place: string; text: string }[] {
  return [...collect({ env, cwd }).given].flatMap(([name, { value, origin }]) => {
    const key = keys.get(name);
    if (key?.meta.secret !== true) return [];
    return [{ place: `${key.group}.${name} (from ${origin})`, text: textOf(value) }];
  });
}

function plainSecrets(env: Environment, cwd: string): string[] {
  return secretsGiven(env, cwd)
    .filter(({ text }) => !claimsReference(text))
    .map(
      ({ place }) =>
        `${place} is a secret in plain text, which everybody who may look at a function could read: store it in Secrets Manager (aws secretsmanager create-secret) and set its ARN.`,
    );
}

/** The network that is made has an endpoint for Secrets Manager in its own region, and no other way out. */
function unreachableSecrets(env: Environment, region: string): string[] {
  return secretsGiven(env, '/').flatMap(({ place, text }) => {
    const reference = parseReference(text);
    if (reference === undefined || (reference.service === 'secretsmanager' && reference.region === region))
      return [];
    return [
      `${place} can't be read from the network that DEPLOY_DATABASE=aurora makes: use Secrets Manager in ${region}.`,
    ];
  });
}

function sizeProblems(env: Environment): string[] {
  const { environment } = describeService(lrsSettings(env), env, false);
  const size = Object.entries(environment)
    .map(([name, value]) => Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(value)))
    .reduce((sum, bytes) => sum + bytes, 0);
  if (size <= largestEnvironment) return [];
  return [
    `The settings need ${size} bytes, and Lambda takes ${largestEnvironment}: put some of them into config/lrs.json.`,
  ];
}
