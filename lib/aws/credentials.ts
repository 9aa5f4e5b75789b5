/** The environment variables that AWS sets, or that its SDKs read. */
export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** What signs a request to AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const patience = 3_000;
/** Where the endpoint of a container's credentials lies (Amazon ECS). */
const containerHost = 'http://169.254.170.2';

/**
 * The credentials of this process: from `AWS_ACCESS_KEY_ID` and its companions, as Lambda sets them, or from the endpoint that
 * containers on ECS and EKS have.
 * @throws Error with a sentence when there are none.
 */
export async function awsCredentials(env: AwsEnvironment): Promise<AwsCredentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId && secretAccessKey) {
    const { AWS_SESSION_TOKEN: sessionToken } = env;
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  }
  return containerCredentials(env);
}

async function containerCredentials(env: AwsEnvironment): Promise<AwsCredentials> {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative } = env;
  const address = relative ? containerHost + relative : env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (!address) {
    throw new Error(
      'this process has no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run it with a role on Lambda, ECS or EKS',
    );
  }
  const response = await fetch(address, {
    headers: await containerAuthorization(env),
    signal: AbortSignal.timeout(patience),
  });
  if (!response.ok) throw new Error(`the credentials of this container were refused (${response.status})`);
  const { AccessKeyId, SecretAccessKey, Token } = (await response.json()) as Record<string, string>;
  if (!AccessKeyId || !SecretAccessKey) throw new Error('the credentials of this container are incomplete');
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(Token && { sessionToken: Token }),
  };
}

async function containerAuthorization(env: AwsEnvironment): Promise<Record<string, string>> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file } = env;
  let { AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = env;
  if (file) {
    const { readFile } = await import('node:fs/promises');
    token = (await readFile(file, 'utf8')).trim();
  }
  return token ? { authorization: token } : {};
}
