import { readDeployment } from '../../ops/aws/settings.cjs';
import type { DeploymentTools } from './deploy.ts';
import { CommandFailedError, serverless } from './serverless.ts';
import { noteMissingFile, stageEnvironment } from './settings.ts';
import { readStageArguments } from './stage-arguments.ts';

export interface DestructionTools extends Omit<DeploymentTools, 'build' | 'migrationPause'> {
  /** Asks a question on the terminal; undefined when nobody answers. */
  ask(question: string): Promise<string | undefined>;
}

/** Says what is removed and what stays, asks, and removes the stack. @returns the exit code. */
export async function destroy(tools: DestructionTools): Promise<number> {
  const read = readStageArguments('destroy', tools.argv, ['yes', 'dry-run']);
  if (typeof read === 'string') {
    tools.print(read);
    return 2;
  }
  const { stage, given } = read;
  const env = stageEnvironment(stage, tools);
  const { deployment, problems } = readDeployment(env);
  for (const problem of problems) tools.print(problem);
  if (problems.length > 0) return 1;
  for (const line of consequences(stage, deployment)) tools.print(line);
  noteMissingFile(stage, tools);
  if (given.has('dry-run')) return 0;
  if (!given.has('yes') && (await tools.ask(`Type ${stage} to remove it: `)) !== stage) {
    tools.print('Nothing was removed.');
    return 1;
  }
  try {
    await serverless(['remove'], { ...tools, env, stage });
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailedError)) throw error;
    tools.print(`${error.message}.`);
    return 1;
  }
}

type Deployment = ReturnType<typeof readDeployment>['deployment'];

const gatewayNames = {
  'http-api': 'the API',
  'function-url': 'the function URL',
  alb: 'the load balancer',
} as const;

function consequences(
  stage: string,
  { region, gateway, database, attachments, domain }: Deployment,
): string[] {
  const aurora = database === 'aurora';
  return [
    `Stage ${stage} in ${region} loses:`,
    `- the functions, ${gatewayNames[gateway]} and its address, the logs and the alarms`,
    '- the secret with the password of the first account, if the deployment made it',
    ...(aurora ? ['- the network and the Aurora database with all statements'] : []),
    ...(domain === undefined
      ? []
      : [`- the host name ${domain} at ${gatewayNames[gateway]}, and its record in Route 53`]),
    'These stay:',
    aurora
      ? '- a snapshot of the database, made now, which costs storage until you delete it (RDS, Snapshots)'
      : '- the database with everything in it',
    ...(attachments === 's3'
      ? ['- the bucket with large attachments (output AttachmentBucketName): empty and delete it yourself']
      : []),
    '- secrets, certificates and hosted zones that you made yourself',
  ];
}
