import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

/*
 * The honest clients, in a process of their own so that the attackers' work does not delay their clocks: 200 requests in a
 * second, in turn a page, a new statement and `about`; some on new connections. Started by `honest.ts`, which asks for
 * what was measured since the last question.
 */

/** What honest clients experienced. Times in milliseconds. */
export interface Experience {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  /** The same for each kind of request, by its name. */
  readonly p99Of: Readonly<Record<string, number>>;
  readonly longest: number;
  readonly longestWrite: number;
  /** Answers 503 that say when to come back. */
  readonly degraded: number;
  /** What else was no success, and how often. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface HonestTask {
  readonly origin: string;
  readonly authorization: string;
  /** Requests in a second. */
  readonly rate?: number | undefined;
}

interface Kind {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: () => string;
}

const usualRate = 200;
const patience = 20_000;
/** A request that has waited longer than this when the report is made counts with the time so far. */
const unanswered = 500;
/** One request in so many opens a connection. */
const newConnectionEvery = 10;
/** So that a limit for each address does not count the attackers. */
const localAddress = '127.0.0.2';
const verb = 'https://honest.example/verbs/did';

const kinds: readonly [Kind, ...Kind[]] = [
  { name: 'page', method: 'GET', path: `/xapi/statements?limit=10&verb=${encodeURIComponent(verb)}` },
  { name: 'write', method: 'POST', path: '/xapi/statements', body: newStatement },
  { name: 'about', method: 'GET', path: '/xapi/about' },
];

function newStatement(): string {
  return JSON.stringify({
    id: randomUUID(),
    actor: { mbox: 'mailto:honest@example.org' },
    verb: { id: verb },
    object: { id: 'https://honest.example/activities/course' },
  });
}

interface Latency {
  readonly name: string;
  readonly milliseconds: number;
}

const keptAlive = new Agent({ keepAlive: true, maxSockets: 64, localAddress });
let latencies: Latency[] = [];
let longestWrite = 0;
let degraded = 0;
let failures = new Map<string, number>();
let sent = 0;
/** When the requests that have no answer yet were sent. */
const pending = new Set<{ readonly name: string; readonly start: number }>();

function ask({ origin, authorization }: HonestTask): void {
  const { hostname: host, port } = new URL(origin);
  const { name, method, path, body } = kinds[sent % kinds.length] ?? kinds[0];
  const text = body?.();
  const agent = sent % newConnectionEvery === 0 ? new Agent({ localAddress }) : keptAlive;
  sent += 1;
  const headers = {
    Authorization: authorization,
    'X-Experience-API-Version': '1.0.3',
    ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': text.length }),
  };
  const start = performance.now();
  const own = { name, start };
  pending.add(own);
  const finish = (outcome: string | undefined): void => {
    pending.delete(own);
    const milliseconds = performance.now() - start;
    latencies.push({ name, milliseconds });
    if (text !== undefined) longestWrite = Math.max(longestWrite, milliseconds);
    if (outcome !== undefined) failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
  };
  const outgoing = request({ host, port, method, path, headers, agent, timeout: patience }, (message) => {
    message.resume();
    message.on('error', () => finish('broken answer'));
    message.on('end', () => {
      const { statusCode = 0 } = message;
      const isDegraded = statusCode === 503 && message.headers['retry-after'] !== undefined;
      if (isDegraded) degraded += 1;
      finish(statusCode < 300 || isDegraded ? undefined : String(statusCode));
    });
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
  outgoing.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  outgoing.end(text);
}

function experience(): Experience {
  const now = performance.now();
  const waiting = [...pending]
    .map(({ name, start }) => ({ name, milliseconds: now - start }))
    .filter(({ milliseconds }) => milliseconds > unanswered);
  const all = [...latencies, ...waiting];
  const sorted = sortedTimes(all);
  const result: Experience = {
    requests: sorted.length,
    p50: atShare(sorted, 0.5),
    p99: atShare(sorted, 0.99),
    p99Of: Object.fromEntries(
      kinds.map(({ name }) => [name, atShare(sortedTimes(all.filter((each) => each.name === name)), 0.99)]),
    ),
    longest: atShare(sorted, 1),
    longestWrite,
    degraded,
    failures: Object.fromEntries(failures),
  };
  latencies = [];
  longestWrite = 0;
  degraded = 0;
  failures = new Map();
  return result;
}

function sortedTimes(all: readonly Latency[]): number[] {
  return all.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
}

function atShare(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

process.on('message', (message: HonestTask | 'report') => {
  if (message === 'report') process.send?.(experience());
  else setInterval(() => ask(message), 1000 / (message.rate ?? usualRate));
});
process.on('disconnect', () => process.exit(0));
