import { setTimeout as sleep } from 'node:timers/promises';
import { pair } from '../client.ts';

const patience = 30_000;
const pause = 50;

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly consistentThrough: string;
}

/** What the servers have answered beside what was expected. */
export interface Refusals {
  /** Answers 503, each with `Retry-After`, and requests that nobody answered. */
  retries: number;
  /** Any other answer that no client should get. */
  readonly failures: string[];
}

/** Sends each request until it is answered by something else than 503, to one server after the other. */
export class ClusterClient {
  readonly #addresses: readonly string[];
  readonly #refusals: Refusals;
  #next: number;

  /** @param first the index of the server that is used as long as it answers. */
  constructor(addresses: readonly string[], refusals: Refusals, first: number) {
    this.#addresses = addresses;
    this.#refusals = refusals;
    this.#next = first;
  }

  async send(
    path: string,
    init: RequestInit = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    for (;;) {
      const address = this.#addresses[this.#next % this.#addresses.length];
      const answer = await answerOf(`${address}${path}`, {
        ...init,
        headers: { ...credentials, ...headers },
      });
      if (typeof answer !== 'string' && answer.status < 500) return answer;
      this.#refusals.retries += 1;
      const isRefusal = typeof answer === 'string' || (answer.status === 503 && answer.retryAfter !== null);
      if (!isRefusal) this.#refusals.failures.push(`${path}: ${answer.status} ${answer.body}`);
      this.#next += 1;
      await sleep(pause);
    }
  }
}

const credentials = {
  authorization: `Basic ${btoa(`${pair.key}:${pair.secret}`)}`,
  'content-type': 'application/json',
  'x-experience-api-version': '1.0.3',
};

/** A text instead of an answer: why there was none. */
async function answerOf(
  url: string,
  init: RequestInit,
): Promise<(Answer & { readonly retryAfter: string | null }) | string> {
  try {
    const { status, headers, ...response } = await fetch(url, {
      ...init,
      signal: AbortSignal.timeout(patience),
    }).then(async (received) => ({
      status: received.status,
      headers: received.headers,
      body: await received.text(),
    }));
    const consistentThrough = headers.get('x-experience-api-consistent-through') ?? '';
    return { status, ...response, consistentThrough, retryAfter: headers.get('retry-after') };
  } catch (error) {
    return String(error);
  }
}
