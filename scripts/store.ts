import { loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { databaseOptions } from '../lib/database-options.ts';
import { openDatabase } from '../lib/db/connect.ts';
import { moveStore } from '../lib/store-move.ts';
import { commandLine } from './command-line.mjs';
import { commandLogger } from './command-logger.ts';
import { failureReasons } from './failure-reasons.ts';
import { interruption } from './interruption.ts';
import { outliveLostOutput } from './lost-output.ts';
import { readStoreArguments, storeUsage } from './store-arguments.mjs';

/* `npm run store -- move NAME --to SERVER` copies a closed store to another database server and has it served from there. */

outliveLostOutput();
try {
  const { name, server, settings } = commandLine(readStoreArguments, storeUsage);
  const source = processSource(settings);
  const { config, secrets } = await loadConfigWithSecrets(source);
  const db = await openDatabase(databaseOptions(config, secrets), commandLogger(config.logger.logLevel));
  try {
    const signal = interruption(`Interrupted: the store ${name} has not moved.`);
    const former = await moveStore(db, { config, secrets }, { name, server, env: source.env, signal });
    console.log(`The store ${name} is on the server ${server} now. Open it: it is still closed.`);
    console.log(
      `Its former ${former.name} on the server ${former.server} stays as it is; remove it when the store works: ${former.removal}`,
    );
  } finally {
    await db.close();
  }
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}
