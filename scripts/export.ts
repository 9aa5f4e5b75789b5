import { createWriteStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { loadConfigWithSecrets } from '../config/config.ts';
import { processSource } from '../config/env.ts';
import { createNewFile } from '../lib/backup/new-file.ts';
import { exportText } from '../lib/export/lines.ts';
import { counted } from '../lib/transfer/counted.ts';
import type { OpenStore } from '../lib/transfer/open-store.ts';
import { commandLine } from './command-line.mjs';
import { commandLogger } from './command-logger.ts';
import { openExistingStore } from './existing-database.ts';
import { failureReasons } from './failure-reasons.ts';
import { interruption } from './interruption.ts';
import { outliveLostOutput } from './lost-output.ts';
import { audited, commandAct } from './operator/audited.ts';
import { ProgressBar } from './progress-bar.ts';
import { exportHelp, readExportArguments } from './transfer-arguments.mjs';

/* `npm run export -- FILE` writes all that the store of the configuration has into a file of lines of JSON, compressed where its name ends in `.gz`. */

type Arguments = ReturnType<typeof readExportArguments>;

outliveLostOutput();
try {
  await main(commandLine(readExportArguments, exportHelp));
} catch (error) {
  for (const line of failureReasons(error)) console.error(line);
  process.exitCode = 1;
}

async function main(given: Arguments): Promise<void> {
  const { plain, secrets: withSecrets, settings } = given;
  const file = resolve(given.file);
  const { config, secrets } = await loadConfigWithSecrets(processSource(settings));
  // Before the database is read, which may take long.
  if (existsSync(file))
    throw new Error(`${file} is there already, and nothing is overwritten: name another file.`);
  const store = await openExistingStore({ config, secrets, logger: commandLogger(config.logger.logLevel) });
  try {
    const signal = interruption(`Interrupted: ${file} is not written.`);
    const named = { ...given, file };
    const count = withSecrets
      ? await writeRecorded(store, named, signal)
      : await writeExport(store, named, signal);
    const what = plain ? 'the statements' : 'the export';
    console.log(
      `${file} holds ${what} of the database ${config.database.dbName}: ${counted(count, 'statement')}.`,
    );
    if (withSecrets)
      console.log('It holds secret keys and hashes of passwords: keep it as safe as the database.');
  } finally {
    await store.close();
  }
}

/** The audit trail has an export with secrets before the file is written. */
function writeRecorded(store: OpenStore, given: Arguments, signal: AbortSignal): Promise<number> {
  const act = { ...commandAct('export (with secrets)', 'disclosure'), filters: { file: given.file } };
  return audited(store.services.audit, act, async (end) => {
    try {
      return await writeExport(store, given, signal, (statements) => {
        end.counts = { statements };
      });
    } finally {
      end.interrupted = signal.aborted;
    }
  });
}

/** @returns how many statements the file has. */
async function writeExport(
  store: OpenStore,
  { file, plain, secrets }: Arguments,
  signal: AbortSignal,
  onProgress: (statements: number) => void = () => {},
): Promise<number> {
  const bar = new ProgressBar();
  let statements = 0;
  const text = exportText({
    db: store.db,
    ...store.services,
    secrets,
    plain,
    now: Date.now,
    onProgress: (done, total) => {
      statements = done;
      onProgress(done);
      bar.show(done, total);
    },
  });
  await createNewFile(file, async (partial) => {
    const steps = file.endsWith('.gz') ? [createGzip()] : [];
    await pipeline([Readable.from(text), ...steps, createWriteStream(partial)], { signal });
  });
  bar.end();
  return statements;
}
