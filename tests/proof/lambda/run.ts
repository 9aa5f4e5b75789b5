import { parseArgs } from 'node:util';
import { hasQuotas } from '../../emulator/quota.ts';
import { openProofDatabase } from '../database.ts';
import { type CrowdOptions, type CrowdResult, crowd } from './crowd.ts';
import { isSound, type LambdaProofOptions, type LambdaProofResult, proveFrozen } from './proof.ts';

/*
 * `npm run proof:lambda`: the packaged functions in an emulated Lambda, whose instances are frozen whenever they have nothing to do
 * and killed at random, beside a control whose instances go on; then many instances on one Postgres. It ends with status 1 when
 * a bound does not hold.
 */

const { values } = parseArgs({
  options: {
    db: { type: 'string', multiple: true, default: ['postgres', 'mariadb'] },
    seconds: { type: 'string', default: '60' },
    kills: { type: 'string', default: '200' },
    memory: { type: 'string', default: '256' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
    instances: { type: 'string', multiple: true, default: ['90', '150', '300'] },
  },
});

/** Milliseconds by which freezing and kills may lengthen the p99 of POST. */
const lengthening = 1000;
/** Milliseconds within which a function says that the database has no connection left. */
const answerLimit = 2000;
/** Connections that PgBouncer has for the crowd that is too large for Postgres itself. */
const pooled = 20;
/** More instances than this go through PgBouncer. */
const mostDirect = 200;

const problems: string[] = [];
print(`seed ${values.seed}; memory and processor are ${hasQuotas() ? '' : 'not '}limited`);
for (const database of values.db.filter((name) => name !== 'none')) {
  if (database !== 'postgres' && database !== 'mariadb')
    throw new Error(`--db takes postgres, mariadb or none, not ${database}.`);
  const times = { seed: Number(values.seed), seconds: Number(values.seconds) };
  const clients = { writers: 14, readers: 5, memory: Number(values.memory) };
  const control = await prove(database, { ...times, ...clients, freezes: false, kills: 0 });
  const frozen = await prove(database, { ...times, ...clients, freezes: true, kills: Number(values.kills) });
  if (frozen.post.p99 > control.post.p99 + lengthening)
    problems.push(`${database}: the p99 of POST is ${frozen.post.p99.toFixed(0)} ms`);
}
for (const instances of values.instances.map(Number).filter((count) => count > 0)) {
  check(await crowd({ instances, ...(instances > mostDirect && { pooled }) }), { instances });
}
for (const problem of problems) print(problem);
print(problems.length === 0 ? 'Proven.' : 'Not proven.');
process.exitCode = problems.length === 0 ? 0 : 1;

async function prove(
  name: 'postgres' | 'mariadb',
  options: Omit<LambdaProofOptions, 'database'>,
): Promise<LambdaProofResult> {
  const database = await openProofDatabase(name);
  const result = await proveFrozen({ ...options, database: database.settings }).finally(database.remove);
  const { lost, unseen, failures, post, starts, ...counts } = result;
  const times = (percentiles: object) =>
    Object.entries(percentiles)
      .map(([kind, value]) => `${kind} ${value.toFixed(0)} ms`)
      .join(', ');
  const lists = Object.entries({ lost, unseen, failures }).map(([kind, list]) => `${kind}: ${list.length}`);
  const numbers = Object.entries(counts).map(([kind, value]) => `${kind}: ${value}`);
  const what = `${name}, ${options.freezes ? 'frozen' : 'control'}`;
  print(
    `${what}: ${[...numbers, ...lists].join(', ')}; POST ${times(post)}; start of an instance ${times(starts)}`,
  );
  for (const failure of [...new Set(failures)].slice(0, 5)) print(`  ${failure}`);
  if (!isSound(result)) problems.push(`${what}: something was lost, unseen or has failed`);
  return result;
}

function check(result: CrowdResult, { instances }: CrowdOptions): void {
  print(JSON.stringify(result));
  const { statuses, withoutRetryAfter, longest, attempts } = result;
  const { 200: stored = 0, 503: refused = 0 } = statuses;
  const fits = instances < 100 || instances > mostDirect;
  if (stored + refused !== instances)
    problems.push(`${instances} instances: some answers are neither 200 nor 503`);
  if (fits && refused > 0) problems.push(`${instances} instances: ${refused} requests have failed`);
  if (attempts === undefined) problems.push(`${instances} instances: a refused request never succeeded`);
  if (withoutRetryAfter > 0) problems.push(`${instances} instances: 503 without Retry-After`);
  if (refused > 0 && longest > answerLimit)
    problems.push(`${instances} instances: an answer took ${longest.toFixed(0)} ms`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
