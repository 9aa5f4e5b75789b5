import { setTimeout as sleep } from 'node:timers/promises';
import { DistantAttackers } from './distant-attackers.ts';
import { HonestClients } from './honest.ts';
import type { Experience } from './honest-process.ts';
import { type HostileClients, OwnAttackers } from './own-attackers.ts';
import type { Attack, Bounds } from './types.ts';
import { type Stall, Victim } from './victim.ts';

export interface RunOptions {
  /** Arguments of `node` that start the server. */
  readonly program: readonly string[];
  /** Settings that name the database. */
  readonly database: Readonly<Record<string, string>>;
  readonly seed: number;
  /** The share of each amount that is used. */
  readonly share: number;
  /** How long honest clients are watched without an attack (ms); 0 goes without honest clients. */
  readonly quiet: number;
  readonly bounds: Bounds;
}

export interface Outcome {
  readonly name: string;
  readonly sent: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly stall: Stall;
  /** What honest clients experienced before the attack and while it ran; absent where there were none. */
  readonly honest?: { readonly without: Experience; readonly during: Experience };
  readonly memory: number;
  readonly descriptors: number;
  readonly crashed: boolean;
  readonly seconds: number;
  /** What broke a bound or a rule, one sentence each. */
  readonly broken: readonly string[];
}

/** The server goes on with what it was given after the attackers have left, e.g. with merging. */
const aftermath = 500;
/** Honest clients are watched for at least this long (ms), however short the attack is. */
const leastWatch = 3_000;

/** Runs an attack against a server of its own. */
export async function runAttack(attack: Attack, options: RunOptions): Promise<Outcome> {
  const victim = await startVictim(attack, options);
  const other = attack.honestElsewhere ? await startVictim(attack, options) : undefined;
  try {
    return await attackVictim(attack, { ...options, victim, honestOrigin: (other ?? victim).http });
  } finally {
    await other?.stop();
    await victim.stop();
  }
}

export function startVictim(
  { settings, descriptors }: Pick<Attack, 'settings' | 'descriptors'>,
  { program, database }: Pick<RunOptions, 'program' | 'database'>,
): Promise<Victim> {
  return Victim.start({
    program,
    settings: { ...database, ...settings },
    ...(descriptors !== undefined && { descriptors }),
  });
}

export interface Watched extends Omit<RunOptions, 'program' | 'database'> {
  readonly victim: Victim;
  /** Where the honest clients go. */
  readonly honestOrigin: string;
}

/** Runs an attack against a server that is there, with honest clients beside it. */
export async function attackVictim(attack: Attack, watched: Watched): Promise<Outcome> {
  const { victim, quiet, bounds } = watched;
  const attackers = await attackersFor(attack, watched);
  let honest: HonestClients | undefined;
  try {
    await attackers.prepare();
    if (quiet > 0) honest = await HonestClients.start(watched.honestOrigin, attack.honestRate);
    const without = await honest?.experienceFor(quiet);
    await victim.worstStall();
    victim.forgetPeaks();
    const start = performance.now();
    await Promise.race([attackers.run(), ended(victim)]);
    const seconds = (performance.now() - start) / 1000;
    const during = await honest?.experienceFor(Math.max(aftermath, leastWatch - seconds * 1000));
    const { violations, ...counts } = await attackers.report();
    const outcome = {
      name: attack.name,
      ...counts,
      stall: victim.isAlive ? await victim.worstStall() : { stall: 0, elapsed: 0, at: 0 },
      ...(without && during && { honest: { without, during } }),
      ...victim.peaks,
      crashed: !victim.isAlive,
      seconds,
    };
    return {
      ...outcome,
      broken: [
        ...brokenBounds(outcome, { ...bounds, ...attack.bounds }),
        ...missed(attack, outcome),
        ...violations,
      ],
    };
  } finally {
    await attackers.stop();
    await honest?.stop();
  }
}

/** Where no latencies are measured, attackers need no process of their own. */
function attackersFor(
  attack: Attack,
  { victim, seed, share, quiet }: Watched,
): Promise<HostileClients> | HostileClients {
  const { http, https } = victim;
  const task = { http, https, seed, share };
  return quiet === 0
    ? new OwnAttackers(attack, task, () => !victim.isAlive)
    : DistantAttackers.start(attack, task);
}

async function ended(victim: Victim): Promise<void> {
  while (victim.isAlive) await sleep(100);
}

/** Whether the attack has reached what it is about; parts of it that run without honest clients need not. */
function missed({ provokes }: Attack, { outcomes, honest }: Omit<Outcome, 'broken'>): string[] {
  if (provokes === undefined || honest === undefined || outcomes[provokes] !== undefined) return [];
  return [`no request was answered ${provokes}, so the attack shows nothing`];
}

type Rule = readonly [isBroken: boolean, sentence: string];

/** @returns a sentence for each bound that does not hold. */
function brokenBounds(outcome: Omit<Outcome, 'broken'>, bounds: Bounds): string[] {
  const { stall, memory, crashed, honest } = outcome;
  const rules: Rule[] = [
    [crashed, 'the server crashed'],
    [
      stall.stall > bounds.stall,
      `the event loop was busy for ${whole(stall.stall)} ms (bound ${whole(bounds.stall)} ms)`,
    ],
    [memory > bounds.memory, `the server used ${whole(memory)} MiB (bound ${bounds.memory} MiB)`],
    ...(honest === undefined ? [] : honestRules(honest, bounds)),
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence);
}

function honestRules({ without, during }: NonNullable<Outcome['honest']>, bounds: Bounds): Rule[] {
  const ratio = ratioOf({ without, during });
  const failed = Object.entries(during.failures).map(([kind, count]) => `${count} × ${kind}`);
  // What a write takes without an attack, e.g. because the machine is busy, is not the attack's doing.
  const longest = bounds.write + without.longestWrite;
  return [
    [
      ratio > bounds.ratio,
      `honest clients' p99 was ${ratio.toFixed(1)} times as long (bound ${bounds.ratio} times)`,
    ],
    [
      bounds.p99 !== undefined && during.p99 > bounds.p99,
      `honest clients' p99 was ${whole(during.p99)} ms (bound ${whole(bounds.p99 ?? 0)} ms)`,
    ],
    [
      during.longestWrite > longest,
      `an honest client waited ${whole(during.longestWrite)} ms for a write (bound ${whole(longest)} ms)`,
    ],
    [failed.length > 0, `requests of honest clients failed: ${failed.join(', ')}`],
    [during.requests === 0, 'honest clients got no answer at all'],
  ];
}

/** How many times as long as without the attack the 99th percentile is. */
export function ratioOf({ without, during }: NonNullable<Outcome['honest']>): number {
  return during.p99 / Math.max(without.p99, 1);
}

function whole(value: number): string {
  return value.toFixed(0);
}
