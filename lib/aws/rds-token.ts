import { type AwsEnvironment, awsCredentials } from './credentials.ts';

/** Who connects to which database of RDS. */
export interface RdsLogin {
  readonly region: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

/** Seconds that a token may be used to connect, the longest that RDS takes; open connections stay. */
const lifetime = 900;

/**
 * A token that stands for a password at RDS and Aurora for 15 minutes: a request that is signed and never sent.
 * @param datetime of the signature, e.g. `20260101T000000Z`; now without it.
 * @throws Error when this process has no credentials.
 */
export async function rdsToken(login: RdsLogin, env: AwsEnvironment, datetime?: string): Promise<string> {
  const [{ AwsV4Signer }, credentials] = await Promise.all([import('aws4fetch'), awsCredentials(env)]);
  const url = new URL(`https://${login.host}:${login.port}/`);
  url.search = new URLSearchParams({
    Action: 'connect',
    DBUser: login.user,
    'X-Amz-Expires': String(lifetime),
  }).toString();
  const signed = await new AwsV4Signer({
    ...credentials,
    url: url.href,
    service: 'rds-db',
    region: login.region,
    signQuery: true,
    ...(datetime && { datetime }),
  }).sign();
  return signed.url.href.slice('https://'.length);
}
