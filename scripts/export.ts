import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { exportText } from '../lib/export/lines.ts';
import { createLogger } from '../lib/logger.ts';
import { openStore } from '../lib/transfer/open-store.ts';
import { commandLine } from './command-line.mjs';
import { failureReasons } from './failure-reasons.ts';
import { ProgressBar } from './progress-bar.ts';
import { exportUsage, readExportArguments } from './transfer-arguments.mjs';

/* `npm run export -- FILE` writes all that the store of the configuration has into a file of lines of JSON, compressed where its name ends in `.gz`. */

try {
  const {
    file: named,
    plain,
    secrets: withSecrets,
    settings,
  } = commandLine(readExportArguments, exportUsage);
  const file = resolve(named);
  const { config, secrets } = await loadConfigWithSecrets(processSource(settings));
  // Before the database is read, which may take long.
  if (existsSync(file))
    throw new Error(`${file} is there already, and nothing is overwritten: name another file.`);
  const store = await openStore({ config, secrets, logger: createLogger(config.logger.logLevel) });
  try {
    const bar = new ProgressBar();
    const text = exportText({
      db: store.db,
      ...store.services,
      secrets: withSecrets,
      plain,
      now: Date.now,
      onProgress: (done, total) => bar.show(done, total),
    });
    // Under its name it is there once it is whole.
    const partial = `${file}.partial`;
    const output = createWriteStream(partial, { mode: 0o600 });
    await once(output, 'open');
    if (file.endsWith('.gz')) await pipeline(Readable.from(text), createGzip(), output);
    else await pipeline(Readable.from(text), output);
    await rename(partial, file);
    bar.end();
    console.log(
      `${file} holds ${plain ? 'the statements' : 'the export'} of the database ${config.database.dbName}.`,
    );
    if (withSecrets)
      console.log('It holds secret keys and hashes of passwords: keep it as safe as the database.');
  } finally {
    await store.close();
  }
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}
