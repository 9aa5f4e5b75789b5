import type { AttackClient } from './client.ts';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';

/** What an attack works with. */
export interface Context {
  /** Origins of the attacked server. */
  readonly http: string;
  readonly https: string;
  /** Sends requests and counts their answers. */
  readonly client: AttackClient;
  readonly tally: Tally;
  readonly random: Random;
  /** The share of an amount that this run uses, at least 1: all of it in the long form. */
  amount(full: number): number;
  /** Calls `work` with 0 to `count` - 1, so many at a time. */
  parallel(count: number, width: number, work: (index: number) => Promise<unknown>): Promise<void>;
}

/** Limits that hold while an attack runs. */
export interface Bounds {
  /** Longest time that the event loop may stand still (ms). */
  readonly stall: number;
  /** Largest resident memory (MiB). */
  readonly memory: number;
  /** How many times the 99th percentile without an attack the honest clients' may be. */
  readonly ratio: number;
  /** Longest time that another client may wait for a write (ms). */
  readonly write: number;
  /** Longest 99th percentile of the honest clients (ms), where an attack has one. */
  readonly p99?: number;
}

/** The bounds of docs/security.md. */
export const bounds: Bounds = { stall: 100, memory: 512, ratio: 3, write: 1_000 };

export interface Attack {
  /** Short and unique; `--only` takes it. */
  readonly name: string;
  readonly area: Area;
  /** What the attacker does, in one line. */
  readonly threat: string;
  /** Settings of the server besides the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What is promised beyond, or in place of, the bounds of all attacks. */
  readonly bounds?: Partial<Bounds>;
  /** Most descriptors that the operating system grants the server. */
  readonly descriptors?: number;
  /** Requests that honest clients send in a second; 200 without it. */
  readonly honestRate?: number;
  /** A status that some answers must have in the long form: without it the attack has not reached what it is about. */
  readonly provokes?: number;
  /** Honest clients use a second process on the same database, so that only waiting in the database shows. */
  readonly honestElsewhere?: true;
  /** Left out of the short form. */
  readonly long?: true;
  /** Runs before the measurement without an attack, e.g. to store what is asked for later. */
  prepare?(context: Context): Promise<void>;
  run(context: Context): Promise<void>;
}

export const areas = [
  'connections',
  'bodies',
  'headers',
  'validation',
  'attachments',
  'documents',
  'queries',
  'references',
  'administration',
  'reactions',
  'fuzzing',
] as const;
export type Area = (typeof areas)[number];
