import type { AwsEnvironment } from '../lib/aws/credentials.ts';
import { rdsToken } from '../lib/aws/rds-token.ts';
import { factsOf } from '../lib/db/dialects/facts.ts';
import type { DatabaseSettings } from './database.ts';
import type { Secrets } from './types.ts';

/** What makes tokens of RDS where `dbIamRegion` asks for them. The environment is looked at anew for each: roles change. */
export function tokenOf(database: DatabaseSettings, env: AwsEnvironment): Pick<Secrets, 'dbToken'> {
  const { dbIamRegion: region, dbHost: host, dbPort, dbType, dbUser: user } = database;
  const { server } = factsOf(dbType);
  if (region === undefined || user === undefined || server === undefined) return {};
  const port = dbPort > 0 ? dbPort : server.standardPort;
  return { dbToken: () => rdsToken({ region, host, port, user }, env) };
}
