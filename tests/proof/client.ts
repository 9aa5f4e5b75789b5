import { setTimeout as sleep } from 'node:timers/promises';
import type { Told } from './reactions.ts';

/** Where a request may go, at this moment. */
export type Addresses = () => readonly string[];

const login = { username: 'opsadmin', password: 'Tr1cky_pass!' };
export const pair = { key: 'key', secret: 'secret' };
/** The settings that make these known. */
export const clientSettings = {
  LRS_ADMIN_USER_DEFAULT: login.username,
  LRS_ADMIN_PASS_DEFAULT: login.password,
  LRS_API_KEY_DEFAULT: pair.key,
  LRS_API_SECRET_DEFAULT: pair.secret,
};

const patience = 15_000;
const pause = 50;

/** Speaks to whichever server is there; what is not answered is sent again. */
export class PatientClient {
  readonly #addresses: Addresses;
  #retries = 0;
  #next = 0;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  /** How often a request had to be sent again. */
  get retries(): number {
    return this.#retries;
  }

  /** Stores statements, which have ids, so that sending them again does no harm. */
  async post(statements: readonly object[]): Promise<void> {
    await this.#send('/xapi/statements', { method: 'POST', body: JSON.stringify(statements) }, xapiHeaders);
  }

  /** All statements, in the order in which they were stored. */
  async *statements(): AsyncGenerator<Told & { readonly actor: { readonly mbox: string } }> {
    for (let path = '/xapi/statements?ascending=true&limit=50'; path !== ''; ) {
      const page = await this.#send(path, {}, xapiHeaders);
      yield* page.statements;
      path = page.more;
    }
  }

  async admin(path: string, body?: object) {
    const { 'json-web-token': token } = await this.#send(
      '/admin/account/login',
      { method: 'POST', body: JSON.stringify(login) },
      { 'content-type': 'application/json' },
    );
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return this.#send(path, request, {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of many shapes, which the proof only compares.
  async #send(path: string, request: RequestInit, headers: Record<string, string>): Promise<any> {
    for (;;) {
      const addresses = this.#addresses();
      this.#next += 1;
      const address = addresses[this.#next % Math.max(1, addresses.length)];
      const answer = address && (await answerOf(`${address}${path}`, { ...request, headers }));
      if (answer) return answer;
      this.#retries += 1;
      await sleep(pause);
    }
  }
}

const xapiHeaders = {
  authorization: `Basic ${btoa(`${pair.key}:${pair.secret}`)}`,
  'content-type': 'application/json',
  'x-experience-api-version': '1.0.3',
};

/** undefined when nobody answers, or the server says that it can't now. @throws Error for an answer that would not change */
async function answerOf(url: string, request: RequestInit): Promise<unknown> {
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(patience) });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    if (answer.status < 500 && answer.status !== 429) throw new Refusal(`${answer.status} ${text}`);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return undefined;
  }
}

class Refusal extends Error {}
