import { Connection } from './connection.ts';

export interface Target {
  /** The xAPI endpoint, e.g. `http://127.0.0.1:8080/xapi`. */
  readonly endpoint: string;
  readonly key: string;
  readonly secret: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Under the endpoint, e.g. `/statements?limit=5`. */
  readonly path: string;
  readonly body?: Buffer;
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
  const url = new URL(target.endpoint);
  const base = url.pathname.replace(/\/$/, '');
  const authorization = Buffer.from(`${target.key}:${target.secret}`).toString('base64');
  const headers = `Host: ${url.host}\r\nAuthorization: Basic ${authorization}\r\nContent-Type: application/json\r\nX-Experience-API-Version: 1.0.3\r\n`;
  const connections = await Promise.all(Array.from({ length: work.connections }, () => Connection.open(url)));
  const latencies: number[] = [];
  let failures = 0;
  let statements = 0;
  const start = performance.now();
  const end = start + work.seconds * 1000;

  const loop = async (connection: Connection) => {
    while (performance.now() < end) {
      const call = work.next();
      if (call === undefined) return;
      const length = call.body?.length ?? 0;
      const head = `${call.method} ${base}${call.path} HTTP/1.1\r\n${headers}Content-Length: ${length}\r\n\r\n`;
      const sent = performance.now();
      const answer = await connection.send(head, call.body);
      latencies.push(performance.now() - sent);
      if (answer.status === 200 || answer.status === 204) {
        statements += call.statements ?? 1;
        work.answered?.(call, answer.body.toString());
      } else {
        failures += 1;
        if (failures === 1)
          console.error(`${work.name}: ${answer.status} ${answer.body.toString('utf8', 0, 300)}`);
      }
    }
  };
  await Promise.all(connections.map(loop));
  const seconds = (performance.now() - start) / 1000;
  for (const connection of connections) connection.close();
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
