import { loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { createLogger } from '../lib/logger.ts';
import { migrateLrs } from '../lib/lrs.ts';
import { commandLine } from './command-line.mjs';
import { failureReasons } from './failure-reasons.ts';
import { outliveLostOutput } from './lost-output.ts';
import { migrateUsage, readDatabaseArguments } from './serve-arguments.mjs';

/*
 * `npm run migrate`: brings the schema of the database up to date and creates the first account, for functions, which do
 * neither. A long-running server does both when it starts.
 */

outliveLostOutput();
try {
  const { settings } = commandLine((args) => readDatabaseArguments(args, migrateUsage), migrateUsage);
  const { config, secrets, warnings } = await loadConfigWithSecrets(processSource(settings));
  const logger = createLogger(config.logger.logLevel);
  for (const warning of warnings) logger.warn(warning);
  await migrateLrs(config, secrets, logger);
  console.log('The database is ready for this release.');
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}
