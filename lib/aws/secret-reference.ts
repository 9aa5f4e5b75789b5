/** Where a secret lies in AWS. */
export interface SecretReference {
  readonly service: 'secretsmanager' | 'ssm';
  readonly partition: string;
  readonly region: string;
  /** What the service is asked for: the ARN without a member. */
  readonly arn: string;
  /** The member of the JSON object that the secret holds; undefined: the whole text. */
  readonly member: string | undefined;
}

const secretsManager =
  /^(arn:(aws[a-z-]*):secretsmanager:([a-z0-9-]+):\d{12}:secret:[\w/+=.@!-]+)(?::([^:]+)(?:::)?)?$/;
const parameterStore = /^(arn:(aws[a-z-]*):ssm:([a-z0-9-]+):\d{12}:parameter\/[\w/.-]+)$/;

/** Whether a text claims to name a secret of AWS, well formed or not. */
export const claimsReference = (text: string): boolean => /^arn:aws[a-z-]*:(secretsmanager|ssm):/.test(text);

/**
 * `arn:aws:secretsmanager:…:secret:NAME`, which `:MEMBER` may follow (as in task definitions of Amazon ECS), or
 * `arn:aws:ssm:…:parameter/NAME`; undefined for any other text.
 */
export function parseReference(text: string): SecretReference | undefined {
  const [secret, parameter] = [secretsManager.exec(text), parameterStore.exec(text)];
  const [, arn, partition, region, member] = secret ?? parameter ?? [];
  if (arn === undefined || partition === undefined || region === undefined) return undefined;
  return { service: secret ? 'secretsmanager' : 'ssm', partition, region, arn, member };
}
