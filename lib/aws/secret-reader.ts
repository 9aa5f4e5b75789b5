import { type AwsEnvironment, awsCredentials } from './credentials.ts';
import type { SecretReference } from './secret-reference.ts';

/** @returns the text. @throws Error with a sentence that shows no secret. */
export type SecretReader = (reference: SecretReference) => Promise<string>;

/** Milliseconds for one answer of AWS. */
const patience = 5_000;
const retries = 2;

const targets = {
  secretsmanager: { name: 'Secrets Manager', target: 'secretsmanager.GetSecretValue' },
  ssm: { name: 'the Parameter Store', target: 'AmazonSSM.GetParameter' },
} as const;

const endpointVariables = {
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  ssm: 'AWS_ENDPOINT_URL_SSM',
} as const;

/** Reads secrets from AWS, each of them once however many members of it are asked for. */
export function createSecretReader(env: AwsEnvironment): SecretReader {
  const texts = new Map<string, Promise<string>>();
  return async (reference) => {
    const { arn, member } = reference;
    const text = texts.get(arn) ?? fetchText(reference, env);
    texts.set(arn, text);
    return member === undefined ? text : memberOf(await text, member);
  };
}

async function fetchText(reference: SecretReference, env: AwsEnvironment): Promise<string> {
  const { service, region, arn } = reference;
  const { name, target } = targets[service];
  const [{ AwsClient }, credentials] = await Promise.all([import('aws4fetch'), awsCredentials(env)]);
  const client = new AwsClient({ ...credentials, service, region, retries });
  const response = await client
    .fetch(endpointOf(reference, env), {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
      body: JSON.stringify(service === 'ssm' ? { Name: arn, WithDecryption: true } : { SecretId: arn }),
      signal: AbortSignal.timeout(patience),
    })
    .catch(() => {
      throw new Error(`${name} in ${region} does not answer: a function in a VPC needs an endpoint for it`);
    });
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (!response.ok) throw new Error(`${name} refuses to give it (${reasonOf(response.status, answer)})`);
  const text = answer.SecretString ?? answer.Parameter?.Value;
  if (text === undefined) throw new Error(`${name} has no text there`);
  return text;
}

interface Answer {
  readonly SecretString?: string;
  readonly Parameter?: { readonly Value?: string };
  readonly __type?: string;
}

/** The kind of the failure only: a message of AWS may repeat what was sent. */
const reasonOf = (status: number, { __type: kind = '' }: Answer): string =>
  /(\w+)$/.exec(kind)?.[1] ?? String(status);

function endpointOf({ service, partition, region }: SecretReference, env: AwsEnvironment): string {
  const given = env[endpointVariables[service]] || env.AWS_ENDPOINT_URL;
  return given || `https://${service}.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}/`;
}

function memberOf(text: string, member: string): string {
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch {
    throw new Error(`it holds no JSON, so there is no "${member}" in it`);
  }
  if (typeof tree === 'object' && tree !== null && Object.hasOwn(tree, member)) {
    const value = (tree as Record<string, unknown>)[member];
    if (typeof value === 'string') return value;
  }
  throw new Error(`it has no text under "${member}"`);
}
