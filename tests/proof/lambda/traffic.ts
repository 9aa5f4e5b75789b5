import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../attack/random.ts';
import { errorHeader } from '../../emulator/gateway.ts';
import { pair } from '../client.ts';

/** What writers and readers have seen, for the verdict. */
export interface Observations {
  /** Ids of statements whose storing was acknowledged. */
  readonly acknowledged: string[];
  /** Milliseconds of each POST that was answered by an instance. */
  readonly posts: number[];
  /** Answers that no client should get. */
  readonly failures: string[];
  /** Requests that ended with the instance that was killed. */
  cutOff: number;
  /** What each reader has read, and up to which position it was told that this is everything. */
  readonly readers: { readonly seen: Set<string>; through: string }[];
  /** The newest Consistent-Through of any answer. */
  promised: string;
}

export interface TrafficOptions {
  readonly url: string;
  readonly writers: number;
  readonly readers: number;
  readonly seed: number;
  /** Aborted when nobody is to begin another request. */
  readonly signal: AbortSignal;
}

const beginning = '1970-01-01T00:00:00.000000Z';
const header = 'x-experience-api-consistent-through';
/** Milliseconds after which a client no longer waits. */
const patience = 60_000;

const headers = {
  authorization: `Basic ${btoa(`${pair.key}:${pair.secret}`)}`,
  'content-type': 'application/json',
  'x-experience-api-version': '1.0.3',
};

/** Writers and readers without a pause, until the signal. */
export async function runTraffic(options: TrafficOptions): Promise<Observations> {
  const observed: Observations = {
    ...{ acknowledged: [], posts: [], failures: [], readers: [], cutOff: 0, promised: beginning },
  };
  const client = new Client(options.url, observed);
  const writers = Array.from({ length: options.writers }, (_, place) =>
    write(client, observed, { signal: options.signal, random: new Random(options.seed + place) }),
  );
  const readers = Array.from({ length: options.readers }, (_, place) =>
    read(client, observed, { signal: options.signal, trustsOthers: place % 2 === 1 }),
  );
  await Promise.all([...writers, ...readers]);
  return observed;
}

export interface StoredStatement {
  readonly id: string;
  readonly stored: string;
}

interface Page {
  readonly statements: readonly StoredStatement[];
  readonly more: string;
}

interface Answer {
  readonly text: string;
  readonly through: string;
}

/** Sends requests, and notes the answers that no client should get. */
export class Client {
  readonly #url: string;
  readonly #observed: Observations;

  constructor(url: string, observed: Observations) {
    this.#url = url;
    this.#observed = observed;
  }

  /** @returns undefined where the request has failed. */
  async send(path: string, request: RequestInit = {}): Promise<Answer | undefined> {
    try {
      const signal = AbortSignal.timeout(patience);
      const answer = await fetch(`${this.#url}${path}`, { ...request, headers, signal });
      const text = await answer.text();
      const through = answer.headers.get(header) ?? beginning;
      if (through > this.#observed.promised) this.#observed.promised = through;
      if (answer.ok) return { text, through };
      if (answer.headers.get(errorHeader) === 'killed') this.#observed.cutOff += 1;
      else this.#observed.failures.push(`${answer.status} ${request.method ?? 'GET'} ${path}: ${text}`);
    } catch (error) {
      this.#observed.failures.push(`${request.method ?? 'GET'} ${path}: ${String(error)}`);
    }
    return undefined;
  }

  async page(path: string): Promise<(Page & { readonly through: string }) | undefined> {
    const answer = await this.send(path);
    return answer && { ...(JSON.parse(answer.text) as Page), through: answer.through };
  }
}

async function write(
  client: Client,
  observed: Observations,
  { signal, random }: { readonly signal: AbortSignal; readonly random: Random },
): Promise<void> {
  while (!signal.aborted) {
    const batch = Array.from({ length: 1 + random.int(3) }, newStatement);
    const request = { method: 'POST', body: JSON.stringify(batch) };
    // What was not acknowledged is sent again: the ids say that it is the same.
    for (let stored = false; !stored; ) {
      const began = performance.now();
      const answer = await client.send('/xapi/statements', request);
      stored = answer !== undefined;
      if (stored) observed.posts.push(performance.now() - began);
      else if (signal.aborted) return;
      else await sleep(20);
    }
    observed.acknowledged.push(...batch.map(({ id }) => id));
  }
}

const newStatement = () => ({
  id: randomUUID(),
  actor: { mbox: `mailto:learner-${Math.floor(Math.random() * 50)}@example.org` },
  verb: { id: 'http://adlnet.gov/expapi/verbs/experienced' },
  object: { id: `https://proof.example.org/activities/${Math.floor(Math.random() * 20)}` },
});

/**
 * Reads what is new, again and again.
 * @param options `trustsOthers`: up to the newest position that anybody was told, else up to the one in its own answer
 */
async function read(
  client: Client,
  observed: Observations,
  { signal, trustsOthers }: { readonly signal: AbortSignal; readonly trustsOthers: boolean },
): Promise<void> {
  const reader = { seen: new Set<string>(), through: beginning };
  observed.readers.push(reader);
  while (!signal.aborted) {
    const until = trustsOthers ? observed.promised : undefined;
    const query = new URLSearchParams({ since: reader.through, ascending: 'true', ...(until && { until }) });
    const first = await client.page(`/xapi/statements?${query}`);
    if (first === undefined) continue;
    const through = until ?? first.through;
    const isComplete = await walk(client, first, (statements) => {
      for (const { id } of statements) reader.seen.add(id);
      return (statements.at(-1)?.stored ?? through) < through;
    });
    if (isComplete && through > reader.through) reader.through = through;
  }
}

/**
 * Follows `more` for as long as `visit` wants to see the next page.
 * @returns false when a page could not be read.
 */
export async function walk(
  client: Client,
  first: Page,
  visit: (statements: readonly StoredStatement[]) => boolean,
): Promise<boolean> {
  for (let page: Page | undefined = first; page !== undefined; page = await client.page(page.more)) {
    if (!visit(page.statements) || page.more === '') return true;
  }
  return false;
}
