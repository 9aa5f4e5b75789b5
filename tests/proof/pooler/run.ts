import { parseArgs } from 'node:util';
import { builtServer } from '../../attack/programs.ts';
import { isProven, proveBehindPooler } from './proof.ts';

/*
 * `npm run proof:pooler`: the tests of behaviour by HTTP and through the packaged functions on a Postgres behind PgBouncer
 * (transaction mode, ten connections to the server), with the clients of 50 processes of the build at work behind the same
 * PgBouncer. With `--suite DIR` also the official suite, of which DIR is a prepared checkout. Ends with status 1 when a test
 * fails, or a client is answered anything else than it expects.
 */

const { values } = parseArgs({
  options: { processes: { type: 'string', default: '50' }, suite: { type: 'string' } },
});

const result = await proveBehindPooler({
  processes: Number(values.processes),
  program: builtServer,
  suites: [{ engine: 'postgres' }, { engine: 'packaged' }],
  officialSuite: values.suite,
  progress: print,
});
const { failures, ...numbers } = result;
for (const [name, value] of Object.entries(numbers)) print(`${name}: ${JSON.stringify(value)}`);
print(`failures: ${failures.length}`);
for (const failure of failures.slice(0, 10)) print(`  ${failure}`);
print(isProven(result) ? 'Proven.' : 'Not proven.');
process.exitCode = isProven(result) ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
