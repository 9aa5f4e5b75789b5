import { resolve } from 'node:path';
import { loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import type { Config } from '../config/types.ts';
import { backUp, restore } from '../lib/backup/service.ts';
import { databaseOptions } from '../lib/database-options.ts';
import { isOnServer } from '../lib/db/dialects/facts.ts';
import { backupUsage, readBackupArguments } from './backup-arguments.mjs';
import { commandLine } from './command-line.mjs';
import { failureReasons } from './failure-reasons.ts';
import { interruption } from './interruption.ts';
import { outliveLostOutput } from './lost-output.ts';

/* `npm run backup -- FILE` copies the database of the configuration into a file, `npm run restore -- FILE` makes it anew. */

outliveLostOutput();
try {
  const { command, file: named, settings } = commandLine(readBackupArguments, backupUsage);
  const file = resolve(named);
  const source = processSource(settings);
  const { config, secrets } = await loadConfigWithSecrets(source);
  refuseSchemaWithoutEffect(config);
  const database = titleOf(config.database);
  const unfinished = command === 'backup' ? `${file} is not written` : 'the restore is not complete';
  const request = {
    options: databaseOptions(config, secrets),
    file,
    env: source.env,
    signal: interruption(`Interrupted: ${unfinished}.`),
  };
  if (command === 'backup') {
    await backUp(request);
    console.log(`${file} holds ${database}.`);
    for (const line of missingParts(config, secrets)) console.log(line);
  } else {
    await restore(request);
    console.log(`Restored from ${file}: ${database}.`);
  }
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}

/** Who names a schema wants the database of a store, and would get that of the default one. */
function refuseSchemaWithoutEffect({ database, shown }: Config): void {
  if (isOnServer(database)) return;
  if (!shown.some((setting) => setting.key === 'dbSchema' && 'value' in setting && setting.value !== null))
    return;
  throw new Error(
    'dbSchema (LRS_DB_SCHEMA) is set, but SQLite has no schemas: leave it out, and set dbName (LRS_DB_NAME) to the file of the database.',
  );
}

function titleOf(database: Config['database']): string {
  const title = `the database ${database.dbName}`;
  return isOnServer(database) && database.dbSchema !== undefined
    ? `the schema ${database.dbSchema} of ${title}`
    : title;
}

/** What a backup of the installation needs beside the file. */
function missingParts(
  { lrs }: Config,
  { credentialKey, jwtCommonSecret }: { readonly credentialKey?: string; readonly jwtCommonSecret?: string },
): string[] {
  const settings = Object.entries({ credentialKey, jwtCommonSecret }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  return [
    ...(settings.length === 0
      ? []
      : [`It does not contain these settings, without which it is incomplete: ${settings.join(', ')}.`]),
    ...(lrs.attachmentBucket === null
      ? []
      : [`It does not contain the attachments in the bucket ${lrs.attachmentBucket}: back that up, too.`]),
  ];
}
