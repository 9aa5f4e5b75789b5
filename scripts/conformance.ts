import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serverEngineNames } from '../lib/db/dialects/facts.ts';
import type { XapiVersion } from '../lib/xapi/types.ts';
import { startFunctions } from '../tests/emulator/functions.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { type ImportedSource, importInto } from './conformance/import-into.ts';
import { report } from './conformance/report.ts';
import { runSuite, suiteCommand } from './conformance/run-suite.ts';
import { readSuiteLog, shortcomings } from './conformance/suite-log.ts';
import { createScratchDatabase, type Engine, engines, isEngine } from './scratch-database.ts';

const usage = `npm run conformance -- --suite DIR [--xapi 1.0.3|2.0.0] [--db ${engines.join('|')}] [--import SOURCE [--lrs ID] [--files FOLDER] [--attachments FOLDER]] [--lambda]: DIR is a prepared checkout of the official suite; with --import it runs on what \`npm run import -- --from SOURCE --trusted\` has made, with its options --lrs, --files and --attachments, with --lambda against the functions in an emulated Lambda, on Postgres and MariaDB.`;

/** The least number of tests that a run of each version has, so that one in which some are silently missing fails. */
const suites: readonly Suite[] = [
  { version: '1.0.3', floor: 1365 },
  { version: '2.0.0', floor: 1442 },
];

interface Suite {
  readonly version: XapiVersion;
  readonly floor: number;
}

const { directory, wanted, databases, source, start } = options();
let conforms = true;
for (const database of databases) {
  for (const suite of wanted) conforms = (await check(suite, database)) && conforms;
}
process.exitCode = conforms ? 0 : 1;

/** Runs the suite of one version against an LRS with an empty or an imported database and prints how that went. */
async function check({ version, floor }: Suite, database: Engine): Promise<boolean> {
  const scratch = await createScratchDatabase(database);
  const server = await start(scratch.settings);
  try {
    if (source !== undefined) await importInto(scratch.settings, source);
    const run = readSuiteLog(await runSuite(directory, server, version));
    const problems = shortcomings(run, floor);
    const verdict = problems.length === 0 ? ['Conforms.'] : problems;
    const origin = source === undefined ? '' : ', imported';
    console.log(
      `${report(`xAPI ${version}, database: ${database}${origin}`, run)}\n\n${verdict.join('\n')}\n`,
    );
    return problems.length === 0;
  } finally {
    await server.stop();
    await scratch.drop();
  }
}

/** The functions with a key pair of their own, like `startBuiltServer`. */
async function startBuiltFunctions(settings: Readonly<Record<string, string>>) {
  const pair = { key: 'key', secret: 'secret' };
  const functions = await startFunctions({
    settings: { LRS_LOG_LEVEL: 'WARN', ...settings },
    first: {
      LRS_ADMIN_USER_DEFAULT: 'opsadmin',
      LRS_ADMIN_PASS_DEFAULT: 'Tr1cky_pass!',
      LRS_API_KEY_DEFAULT: pair.key,
      LRS_API_SECRET_DEFAULT: pair.secret,
    },
  });
  return { url: functions.url, ...pair, stop: functions.stop };
}

interface Options {
  readonly directory: string;
  readonly wanted: readonly Suite[];
  readonly databases: readonly Engine[];
  /** What `--import` and the options beside it name. */
  readonly source: ImportedSource | undefined;
  readonly start: (
    settings: Readonly<Record<string, string>>,
  ) => Promise<Pick<BuiltServer, 'url' | 'key' | 'secret' | 'stop'>>;
}

function options(): Options {
  try {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string' },
        xapi: { type: 'string' },
        db: { type: 'string' },
        import: { type: 'string' },
        lrs: { type: 'string' },
        files: { type: 'string' },
        attachments: { type: 'string' },
        lambda: { type: 'boolean', default: false },
      },
    });
    if (values.suite === undefined) throw new Error('--suite is missing.');
    const directory = resolve(values.suite);
    if (!existsSync(join(directory, suiteCommand)))
      throw new Error(`There is no ${suiteCommand} in ${directory}.`);
    const wanted = suites.filter(({ version }) => values.xapi === undefined || version === values.xapi);
    if (wanted.length === 0) throw new Error('--xapi must be 1.0.3 or 2.0.0.');
    const start = values.lambda ? startBuiltFunctions : startBuiltServer;
    const possible = values.lambda ? serverEngineNames : engines;
    const { db, import: from, lrs, files, attachments } = values;
    if (from === undefined && (lrs ?? files ?? attachments) !== undefined)
      throw new Error('--lrs, --files and --attachments are for --import.');
    const source = from === undefined ? undefined : { from, lrs, files, attachments };
    if (source !== undefined && db === 'memory')
      throw new Error('--import needs a database that two processes share.');
    if (db === undefined)
      return { directory, wanted, source, start, databases: values.lambda ? possible : ['sqlite'] };
    if (!isEngine(db) || !possible.some((each) => each === db))
      throw new Error(`--db must be one of ${possible.join(', ')}.`);
    return { directory, wanted, source, start, databases: [db] };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}
