import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { brokenRules } from './answer-rules.ts';
import type { Tally } from './tally.ts';

export interface Sent {
  readonly method?: string;
  /** Path and query, sent as it is. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | string;
  /** Without the key pair. */
  readonly anonymous?: true;
  /** Address of this machine that the connection comes from. */
  readonly from?: string;
  /** Milliseconds to wait for an answer. */
  readonly patience?: number;
}

export interface Received {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface KeyPair {
  readonly key: string;
  readonly secret: string;
}

/** The header Authorization of a key pair. */
export function authorizationOf({ key, secret }: KeyPair): string {
  return `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
}

const version = { 'X-Experience-API-Version': '1.0.3' };
const usualPatience = 60_000;
const nothing: Received = { status: 0, headers: {}, body: Buffer.alloc(0) };

/** Sends requests as a client with a key pair does, counts how they end, and checks every answer. */
export class AttackClient {
  readonly #origin: URL;
  readonly #tally: Tally;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 512 });
  readonly authorization: string;

  constructor(origin: string, pair: KeyPair, tally: Tally) {
    this.#origin = new URL(origin);
    this.#tally = tally;
    this.authorization = authorizationOf(pair);
  }

  /** Never throws: a connection that fails is counted as `reset`, `timeout` or by its error code. */
  async send(sent: Sent): Promise<Received> {
    try {
      const received = await this.#exchange(sent);
      this.#tally.count(received.status);
      const own = `${sent.path}\n${String(sent.body ?? '').slice(0, 100_000)}`;
      for (const broken of brokenRules(received, own)) {
        this.#tally.violate(`${sent.method ?? 'GET'} ${pathOf(sent)}: ${broken}`);
      }
      return received;
    } catch (error) {
      this.#tally.count(error instanceof Error ? outcomeOf(error) : 'failed');
      return nothing;
    }
  }

  /** As above, with a statement or a batch as JSON. */
  post(body: Buffer | string, headers: Sent['headers'] = {}): Promise<Received> {
    return this.send({
      method: 'POST',
      path: '/xapi/statements',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange({ method = 'GET', path, headers, body, ...rest }: Sent): Promise<Received> {
    const { hostname: host, port } = this.#origin;
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const authorization = rest.anonymous ? {} : { Authorization: this.authorization };
    const options: RequestOptions = {
      host,
      port,
      method,
      path,
      headers: { ...version, ...authorization, ...length, ...mutable(headers) },
      agent: this.#agent,
      timeout: rest.patience ?? usualPatience,
      ...(rest.from !== undefined && { localAddress: rest.from }),
    };
    return new Promise((resolve, reject) => {
      const request = httpRequest(options, (message) => collect(message).then(resolve, reject));
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', reject);
      request.end(body);
    });
  }
}

function mutable(headers: Sent['headers'] = {}): Record<string, string | string[]> {
  const entries = Object.entries(headers).map(([name, value]): [string, string | string[]] => [
    name,
    typeof value === 'string' ? value : [...value],
  ]);
  return Object.fromEntries(entries);
}

async function collect(message: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return { status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) };
}

function outcomeOf(error: Error & { code?: string }): string {
  return error.message === 'timeout' ? 'timeout' : (error.code ?? 'failed');
}

function pathOf({ path }: Sent): string {
  return path.split('?')[0]?.slice(0, 60) ?? '';
}
