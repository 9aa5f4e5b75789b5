import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { documentWork } from './documents.ts';
import { type Generated, StatementGenerator } from './generate.ts';
import { type Call, measure, type Target, type Work } from './load.ts';
import { queries } from './queries.ts';
import { loadConnections, type Row } from './report.ts';
import { busySeconds, usageOf } from './usage.ts';
import { walkWork } from './walk.ts';

const statementsPath = '/statements';

/** Statements a second; a server that stores more is done before the time is up. */
const fastest = { single: 12_000, inBatches: 30_000 };
/** Seconds that loading a part of the store may take. */
const longestLoad = 600;

/** The same work for any server: every target gets the same statements and is asked the same, in the same order. */
export class Workload {
  readonly rows: Row[] = [];
  readonly #target: Target;
  readonly #pid: number | undefined;
  readonly #generator = new StatementGenerator();
  /** A sample of what is stored, for the queries to ask about. */
  readonly #sample: Generated[] = [];
  #stored = 0;
  #generated = 0;

  /** @param pid the server's process, if it runs on this machine: its CPU and memory are read. */
  constructor(target: Target, pid: number | undefined) {
    this.#target = target;
    this.#pid = pid;
  }

  /** Stores a gzipped file with a statement in each line, in batches of 500. */
  async loadFile(path: string): Promise<void> {
    const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n');
    const calls: Call[] = [];
    for (let i = 0; i < lines.length; i += 500) {
      const batch = lines.slice(i, i + 500);
      calls.push({ ...post(`[${batch.join(',')}]`), statements: batch.length });
    }
    const name = 'POST the file, batches of 500';
    await this.#writeAll({ name, connections: 1, seconds: longestLoad, calls });
  }

  /** Generates and stores statements in batches of 500 until so many are stored. They are generated before the clock runs. */
  async growTo(count: number): Promise<void> {
    const calls: Call[] = [];
    while (this.#generated < count) {
      const size = Math.min(500, count - this.#generated);
      calls.push(this.#batch(size));
      if (calls.length === 200 || this.#generated >= count) {
        await this.#writeAll({
          name: 'POST batches of 500',
          connections: loadConnections,
          seconds: longestLoad,
          calls: calls.splice(0),
        });
      }
    }
  }

  /** Asks every query, then walks through pages by `more`. */
  async ask(seconds: number): Promise<void> {
    for (const { name, call } of queries) {
      let turn = 0;
      await this.#record({
        name: `GET ${name}`,
        connections: 8,
        seconds,
        next: () => {
          turn += 1;
          const fact = this.#sample[(turn * 7919) % this.#sample.length];
          return fact === undefined ? undefined : call(fact);
        },
      });
    }
    await this.#record(walkWork(seconds));
  }

  /** Single statements and batches for so many seconds each, or until those are stored that are generated before the clock runs. */
  async write(seconds: number): Promise<void> {
    for (const connections of [1, 16, 64]) {
      const calls = Array.from({ length: seconds * fastest.single }, () => this.#one());
      await this.#writeAll({ name: 'POST one statement', connections, seconds, calls });
    }
    const batches = [
      { size: 50, connections: 8 },
      { size: 500, connections: 8 },
      { size: 500, connections: 1 },
    ];
    for (const { size, connections } of batches) {
      const calls = Array.from({ length: (seconds * fastest.inBatches) / size }, () => this.#batch(size));
      await this.#writeAll({ name: `POST batches of ${size}`, connections, seconds, calls });
    }
  }

  /** State documents. */
  async documents(seconds: number): Promise<void> {
    for (const work of documentWork(seconds)) await this.#record(work);
  }

  async #writeAll({
    calls,
    ...work
  }: Omit<Work, 'next'> & { readonly calls: readonly Call[] }): Promise<void> {
    const ahead = calls.values();
    await this.#record({ ...work, next: () => ahead.next().value });
  }

  #one(): Call {
    const { facts, text } = this.#generator.next();
    if (this.#generated % 7 === 0) this.#sample.push(facts);
    this.#generated += 1;
    return post(text);
  }

  #batch(size: number): Call {
    const { facts, text } = this.#generator.batch(size);
    this.#sample.push(...facts.filter((_, index) => index % 50 === 0));
    this.#generated += size;
    return { ...post(text), statements: size };
  }

  async #record(work: Work): Promise<void> {
    const before = this.#usage();
    const measurement = await measure(this.#target, work);
    const after = this.#usage();
    const perSecond = (from: number | undefined, to: number | undefined) =>
      from === undefined || to === undefined ? undefined : (to - from) / measurement.seconds;
    if (work.name.startsWith('POST')) {
      this.#stored += Math.round(measurement.statementsPerSecond * measurement.seconds);
    }
    this.rows.push({
      ...measurement,
      stored: this.#stored,
      serverCpu: perSecond(before.server?.cpuSeconds, after.server?.cpuSeconds),
      loadCpu: perSecond(before.load, after.load),
      machineCpu: perSecond(before.machine, after.machine),
      peakMemory: after.server?.peakMemory,
    });
    console.error(
      `${work.name}: ${measurement.statementsPerSecond.toFixed(0)}/s, p50 ${measurement.p50.toFixed(2)} ms`,
    );
  }

  #usage() {
    const { user, system } = process.cpuUsage();
    return {
      server: this.#pid === undefined ? undefined : usageOf(this.#pid),
      load: (user + system) / 1e6,
      machine: busySeconds(),
    };
  }
}

function post(body: string): Call {
  return { method: 'POST', path: statementsPath, body: Buffer.from(body) };
}
