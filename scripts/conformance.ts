import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { XapiVersion } from '../lib/xapi/types.ts';
import { startBuiltServer } from './built-server.ts';
import { report } from './conformance/report.ts';
import { runSuite, suiteCommand } from './conformance/run-suite.ts';
import { readSuiteLog, shortcomings } from './conformance/suite-log.ts';
import { createScratchDatabase, type Engine, engines, isEngine } from './scratch-database.ts';

const usage =
  'npm run conformance -- --suite DIR [--xapi 1.0.3|2.0.0] [--db sqlite|memory|postgres|mariadb]: DIR is a prepared checkout of the official suite.';

/** The least number of tests that a run of each version has, so that one in which some are silently missing fails. */
const suites: readonly Suite[] = [
  { version: '1.0.3', floor: 1365 },
  { version: '2.0.0', floor: 1442 },
];

interface Suite {
  readonly version: XapiVersion;
  readonly floor: number;
}

const { directory, wanted, database } = options();
let conforms = true;
for (const suite of wanted) conforms = (await check(suite)) && conforms;
process.exitCode = conforms ? 0 : 1;

/** Runs the suite of one version against a server with an empty database and prints how that went. */
async function check({ version, floor }: Suite): Promise<boolean> {
  const scratch = await createScratchDatabase(database);
  const server = await startBuiltServer(scratch.settings);
  try {
    const run = readSuiteLog(await runSuite(directory, server, version));
    const problems = shortcomings(run, floor);
    const verdict = problems.length === 0 ? ['Conforms.'] : problems;
    console.log(`${report(`xAPI ${version}, database: ${database}`, run)}\n\n${verdict.join('\n')}\n`);
    return problems.length === 0;
  } finally {
    await server.stop();
    await scratch.drop();
  }
}

interface Options {
  readonly directory: string;
  readonly wanted: readonly Suite[];
  readonly database: Engine;
}

function options(): Options {
  try {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string' },
        xapi: { type: 'string' },
        db: { type: 'string', default: 'sqlite' },
      },
    });
    if (values.suite === undefined) throw new Error('--suite is missing.');
    const directory = resolve(values.suite);
    if (!existsSync(join(directory, suiteCommand)))
      throw new Error(`There is no ${suiteCommand} in ${directory}.`);
    const wanted = suites.filter(({ version }) => values.xapi === undefined || version === values.xapi);
    if (wanted.length === 0) throw new Error('--xapi must be 1.0.3 or 2.0.0.');
    const { db } = values;
    if (!isEngine(db)) throw new Error(`--db must be one of ${engines.join(', ')}.`);
    return { directory, wanted, database: db };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}
