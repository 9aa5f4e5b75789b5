import type { AwsEnvironment } from '../lib/aws/credentials.ts';
import { rdsToken } from '../lib/aws/rds-token.ts';
import { factsOf } from '../lib/db/dialects/facts.ts';
import type { DatabaseSettings } from './database.ts';
import type { Secrets } from './types.ts';

/** What makes tokens of RDS where `dbIamRegion` asks for them. The environment is looked at anew for each: roles change. */
export function tokenOf(database: DatabaseSettings, env: AwsEnvironment): Pick<Secrets, 'dbToken'> {
  const { dbIamRegion: region, dbType, dbUser: user } = database;
  if (region === undefined || user === undefined || factsOf(dbType).server === undefined) return {};
  return { dbToken: ({ host, port }) => rdsToken({ region, host, port, user }, env) };
}
