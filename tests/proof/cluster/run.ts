import { parseArgs } from 'node:util';
import { builtServer } from '../../attack/programs.ts';
import { galeraCluster } from './galera.ts';
import { postgresCluster } from './postgres.ts';
import { isProven, proveCluster } from './proof.ts';

/*
 * `npm run proof:failover`: kills the database server that accepts writes again and again, while clients write to processes of
 * the build and read incrementally, prints what came of it, and ends with status 1 when anything acknowledged is lost, anything
 * is there twice, or a reader has missed anything. `npm run proof:galera`: the same with a Galera cluster, each of whose nodes
 * takes writes and is killed in turn.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '0' },
    galera: { type: 'boolean', default: false },
    'one-writer': { type: 'boolean', default: false },
  },
});

const cluster = values.galera
  ? await galeraCluster({ allWrite: !values['one-writer'] })
  : await postgresCluster();
try {
  const result = await proveCluster({
    cluster,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    program: builtServer,
    progress: print,
  });
  for (const [name, value] of Object.entries(result)) {
    print(
      `${name}: ${Array.isArray(value) ? `${value.length} ${value.slice(0, 10).join('; ')}`.trim() : value}`,
    );
  }
  process.exitCode = isProven(result) ? 0 : 1;
} finally {
  await cluster.remove();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
