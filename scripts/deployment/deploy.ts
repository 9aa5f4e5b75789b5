import { setTimeout as pause } from 'node:timers/promises';
import { firstUser } from '../../ops/aws/service.cjs';
import { readDeployment } from '../../ops/aws/settings.cjs';
import { costLines } from './cost.ts';
import { CommandFailedError, type ServerlessOptions, serverless, takeOutputs } from './serverless.ts';
import { noteMissingFile, problemsOf, stageEnvironment } from './settings.ts';
import { readStageArguments } from './stage-arguments.ts';

/** What a deployment works with; tests give their own. */
export interface DeploymentTools {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** File of the program of Serverless. */
  readonly program: string;
  /** Makes dist/. */
  build(): Promise<void>;
  print(line: string): void;
  /** Milliseconds between two calls of the function that migrates. */
  readonly migrationPause?: number;
}

/** A database that was paused, or has just been made, needs a while until it answers. */
const migrationAttempts = 6;
const migrationPause = 10_000;

/**
 * Checks the settings, builds, deploys, migrates, and tells the address, the first login and the cost.
 * @returns the exit code.
 */
export async function deploy(tools: DeploymentTools): Promise<number> {
  const read = readStageArguments('deploy', tools.argv, ['dry-run']);
  if (typeof read === 'string') {
    tools.print(read);
    return 2;
  }
  const { stage, given } = read;
  const env = stageEnvironment(stage, tools);
  const problems = await problemsOf(stage, env, tools.cwd);
  if (problems.length > 0) {
    tools.print('Nothing was created, because of these settings:');
    for (const problem of problems) tools.print(`- ${problem}`);
    noteMissingFile(stage, tools);
    return 1;
  }
  for (const line of plan(stage, env)) tools.print(line);
  if (given.has('dry-run')) return 0;
  return carryOut({ ...tools, env, stage });
}

async function carryOut(tools: DeploymentTools & ServerlessOptions): Promise<number> {
  try {
    await tools.build();
    await serverless(['deploy'], tools);
    const outputs = takeOutputs(tools.cwd);
    await migrate(tools);
    for (const line of result(outputs, tools.env)) tools.print(line);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailedError)) throw error;
    tools.print(`${error.message}. What is there can be completed by the same command, or removed:`);
    tools.print(`  npm run destroy -- --stage ${tools.stage}`);
    return 1;
  }
}

async function migrate(tools: DeploymentTools & ServerlessOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await serverless(['invoke', '--function', 'migrate'], tools);
      return;
    } catch (error) {
      if (attempt === migrationAttempts) throw error;
      tools.print('The schema of the database could not be brought up to date yet; trying again.');
      await pause(tools.migrationPause ?? migrationPause);
    }
  }
}

const gatewayNames = {
  'http-api': 'an HTTP API',
  'function-url': 'a function URL',
  alb: 'an Application Load Balancer',
} as const;

function plan(stage: string, env: ServerlessOptions['env']): string[] {
  const { deployment } = readDeployment(env);
  const { region, gateway, database, attachments, domain, alarms, alarmEmail, subnetIds, auroraMaxAcu } =
    deployment;
  const watching = alarmEmail === undefined ? 'shown in CloudWatch' : `sent to ${alarmEmail}`;
  return [
    `Stage ${stage} in ${region}:`,
    `- functions (arm64) behind ${gatewayNames[gateway]}, their logs and their role`,
    database === 'aurora'
      ? `- a network of two private subnets with Aurora Postgres Serverless v2, up to ${auroraMaxAcu} units`
      : `- no database: that at ${env.LRS_DB_HOST ?? env.LRSQL_DB_HOST ?? 'localhost'} is used${subnetIds === undefined ? '' : ', from your subnets'}`,
    ...(attachments === 's3' ? ['- a bucket of S3 for large attachments'] : []),
    ...(domain === undefined ? [] : [`- the host name ${domain}`]),
    ...(alarms ? [`- alarms, ${watching}`] : []),
    ...costLines(deployment),
  ];
}

function result(outputs: Readonly<Record<string, string>>, env: ServerlessOptions['env']): string[] {
  const { Address, DomainTarget, FirstPasswordSecret } = outputs;
  const { region, domain, hostedZoneId } = readDeployment(env).deployment;
  const user = env.LRS_ADMIN_USER_DEFAULT ?? env.LRSQL_ADMIN_USER_DEFAULT ?? firstUser;
  return [
    '',
    `Address:      ${Address ?? 'see the output of Serverless above'}`,
    ...(domain !== undefined && hostedZoneId === undefined
      ? [`DNS:          enter a CNAME record from ${domain} to ${DomainTarget}`]
      : []),
    `First login:  ${user}`,
    FirstPasswordSecret === undefined
      ? 'Password:     the one that your settings name'
      : `Password:     aws secretsmanager get-secret-value --region ${region} --query SecretString --output text --secret-id ${FirstPasswordSecret}`,
  ];
}
