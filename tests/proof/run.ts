import { parseArgs } from 'node:util';
import { builtServer } from '../attack/programs.ts';
import { isDatabase } from './database.ts';
import { isProven, prove } from './proof.ts';

/*
 * `npm run proof:reactions`: kills the built server at random while reactions work, prints what came of it, and ends with status 1
 * when a generated statement is missing, superfluous or there twice.
 */

const { values } = parseArgs({
  options: {
    db: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '200' },
    restarts: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
  },
});
const { db: database, kills, restarts, seed } = values;
if (!isDatabase(database)) throw new Error(`--db takes sqlite, postgres or mariadb, not ${database}.`);

print(`database ${database}; seed ${seed}; ${kills} kills`);
const result = await prove({
  database,
  kills: Number(kills),
  restarts: Number(restarts),
  seed: Number(seed),
  program: builtServer,
  progress: print,
});
const shown = Object.entries(result).map(([name, value]) => [
  name,
  Array.isArray(value) ? `${value.length} ${value.slice(0, 10).join('; ')}`.trim() : value,
]);
for (const [name, value] of shown) print(`${name}: ${value}`);
process.exitCode = isProven(result) ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
