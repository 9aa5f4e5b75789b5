import { parseArgs } from 'node:util';
import { builtServer } from '../../attack/programs.ts';
import { isProven, proveReplicas } from './proof.ts';

/*
 * `npm run proof:replicas`: writes through one process of the build and reads through another, which reads from two replicas of
 * Postgres; one of them is late, and one is killed meanwhile. Then clients only read. Prints what came of it, with the
 * primary's share of processor time, and ends with status 1 when a read did not show what had been acknowledged.
 */

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '20' },
  },
});

const result = await proveReplicas({
  pairs: Number(values.pairs),
  seconds: Number(values.seconds),
  program: builtServer,
  progress: print,
});
for (const [name, value] of Object.entries(result)) print(`${name}: ${JSON.stringify(value)}`);
process.exitCode = isProven(result) ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
