import { Pool } from 'undici';

export interface Target {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string;
  /** How many statements the call writes or asks for; 1 when absent. */
  readonly statements?: number;
}

export interface Measurement {
  readonly work: string;
  readonly connections: number;
  readonly calls: number;
  readonly failures: number;
  readonly seconds: number;
  readonly callsPerSecond: number;
  readonly statementsPerSecond: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface Work {
  readonly name: string;
  readonly connections: number;
  /** The next call, or undefined when there is no more to do. */
  readonly next: () => Call | undefined;
  /** Sees each successful answer. */
  readonly answered?: (call: Call, body: string) => void;
  readonly seconds: number;
}

/** Sends calls in a closed loop on so many connections, checks the status of every answer, and measures. */
export async function measure(target: Target, work: Work): Promise<Measurement> {
  const pool = new Pool(target.url, { connections: work.connections, pipelining: 1 });
  const headers = {
    authorization: `Basic ${Buffer.from(`${target.key}:${target.secret}`).toString('base64')}`,
    'content-type': 'application/json',
    'x-experience-api-version': '1.0.3',
  };
  const latencies: number[] = [];
  let failures = 0;
  let statements = 0;
  const start = performance.now();
  const end = start + work.seconds * 1000;

  const loop = async () => {
    while (performance.now() < end) {
      const call = work.next();
      if (call === undefined) return;
      const sent = performance.now();
      const answer = await pool.request({
        method: call.method,
        path: call.path,
        headers,
        body: call.body ?? null,
      });
      const text = await answer.body.text();
      latencies.push(performance.now() - sent);
      if (answer.statusCode === 200 || answer.statusCode === 204) {
        statements += call.statements ?? 1;
        work.answered?.(call, text);
      } else {
        failures += 1;
        if (failures === 1) console.error(`${work.name}: ${answer.statusCode} ${text.slice(0, 300)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: work.connections }, loop));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return summarise(work, { latencies, failures, statements, seconds });
}

function summarise(
  work: Work,
  seen: { latencies: number[]; failures: number; statements: number; seconds: number },
): Measurement {
  const sorted = seen.latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    work: work.name,
    connections: work.connections,
    calls: sorted.length,
    failures: seen.failures,
    seconds: seen.seconds,
    callsPerSecond: sorted.length / seen.seconds,
    statementsPerSecond: seen.statements / seen.seconds,
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: at(1),
  };
}
