import { loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { databaseOptions } from '../lib/database-options.ts';
import { openDatabase } from '../lib/db/connect.ts';
import { createLogger } from '../lib/logger.ts';
import { reindex } from '../lib/statements/reindex.ts';
import { commandLine } from './command-line.mjs';
import { failureReasons } from './failure-reasons.ts';
import { interruption } from './interruption.ts';
import { outliveLostOutput } from './lost-output.ts';
import { readDatabaseArguments, reindexUsage } from './serve-arguments.mjs';

/*
 * `npm run reindex`: writes the index entries of all stored statements again, beside running servers. A signal ends it between
 * two transactions, and the next run continues.
 */

outliveLostOutput();
try {
  const { settings } = commandLine((args) => readDatabaseArguments(args, reindexUsage), reindexUsage);
  const { config, secrets } = await loadConfigWithSecrets(processSource(settings));
  const logger = createLogger(config.logger.logLevel);
  const signal = interruption('Interrupted.');
  const db = await openDatabase(databaseOptions(config, secrets), logger);
  try {
    const isComplete = await reindex(db, { logger, signal });
    console.log(
      isComplete
        ? 'All statements are reindexed.'
        : 'Interrupted: run the command again to continue where it stopped.',
    );
    if (!isComplete) process.exitCode = 1;
  } finally {
    await db.close();
  }
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}
