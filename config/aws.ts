import { type AwsEnvironment, awsCredentials } from '../lib/aws/credentials.ts';
import type { LrsConfig, Secrets } from './types.ts';

/** What signs requests for a bucket where there is one. The environment is looked at anew for each: roles change. */
export function bucketCredentials(
  { attachmentBucket }: Pick<LrsConfig, 'attachmentBucket'>,
  env: AwsEnvironment,
): Pick<Secrets, 'awsCredentials'> {
  return attachmentBucket === null ? {} : { awsCredentials: () => awsCredentials(env) };
}
