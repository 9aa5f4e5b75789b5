import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createScratchDatabase, isEngine } from '../../scripts/scratch-database.ts';
import { attacks } from './attacks.ts';
import { builtServer } from './programs.ts';
import { machine, summary, table } from './report.ts';
import { type Outcome, type RunOptions, runAttack } from './runner.ts';
import { type Attack, areas, bounds } from './types.ts';

/*
 * `npm run attack`: attacks the built server, prints what that did to it and to honest clients, and ends with status 1 when a
 * bound does not hold.
 */

const usage = `npm run attack -- [options]
  --list          names the attacks and what each does
  --only a,b      only these attacks or areas
  --short         the form that npm test runs
  --share 0.1     so much of each attack
  --db sqlite     or memory, postgres, mariadb
  --tries 3       how often an attack may break a bound
  --seed 1        of what is random
  --json FILE     writes the report
  --server FILE   the server in place of the build`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    share: { type: 'string' },
    json: { type: 'string' },
    db: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
    tries: { type: 'string', default: '3' },
    server: { type: 'string' },
  },
});

const chosen = attacks.filter(isChosen);
const quiet = values.short ? 2_000 : 5_000;
const share = Number(values.share ?? (values.short ? 0.05 : 1));

if (values.help) print(usage);
else if (values.list) list();
else process.exitCode = await attackAll();

function isChosen({ name, area, long }: Attack): boolean {
  const only = values.only?.split(',');
  return only === undefined ? !(values.short && long) : only.includes(name) || only.includes(area);
}

function list(): void {
  for (const area of areas) {
    print(area);
    for (const { name, threat } of chosen.filter((attack) => attack.area === area))
      print(`  ${name}: ${threat}`);
  }
}

async function attackAll(): Promise<number> {
  if (!isEngine(values.db))
    throw new Error(`--db takes sqlite, memory, postgres or mariadb, not ${values.db}.`);
  if (chosen.length === 0) throw new Error(`--only names no attack; --list shows them.`);
  print(`${machine()}; database ${values.db}; seed ${values.seed}`);
  const outcomes: Outcome[] = [];
  for (const attack of chosen) outcomes.push(await repeatedly(attack));
  print(`\n${table(outcomes)}`);
  const report = { machine: machine(), database: values.db, seed: values.seed, bounds, outcomes };
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  const broken = outcomes.filter(({ broken }) => broken.length > 0);
  print(
    broken.length === 0
      ? '\nAll bounds hold.'
      : `\n${broken.length} of ${outcomes.length} attacks broke a bound.`,
  );
  return broken.length === 0 ? 0 : 1;
}

/** What other programs do on this machine may break a bound once; what the server does breaks it every time. */
async function repeatedly(attack: Attack): Promise<Outcome> {
  for (let turn = 1; ; turn += 1) {
    const outcome = await once(attack);
    for (const sentence of outcome.broken) print(`  ${attack.name}: ${sentence}`);
    if (outcome.broken.length === 0 || turn >= Number(values.tries)) return outcome;
  }
}

async function once(attack: Attack): Promise<Outcome> {
  const engine = isEngine(values.db) ? values.db : 'sqlite';
  const database = await createScratchDatabase(engine);
  const options: RunOptions = {
    program: values.server === undefined ? builtServer : [values.server],
    database: database.settings,
    seed: Number(values.seed),
    share,
    quiet,
    bounds,
  };
  try {
    const outcome = await runAttack(attack, options);
    print(summary(outcome));
    return outcome;
  } finally {
    await database.drop();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
