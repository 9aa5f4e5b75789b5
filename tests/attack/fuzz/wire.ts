import { connect, type Socket } from 'node:net';
import type { CheckedAnswer } from '../answer-rules.ts';

/** A request as it is sent; `head` ends with an empty line. */
export interface WireRequest {
  readonly method: string;
  readonly head: string;
  readonly body: Buffer;
}

export type WireOutcome = CheckedAnswer | 'closed' | 'timeout' | 'malformed';

interface Waiting {
  readonly method: string;
  readonly resolve: (outcome: WireOutcome) => void;
}

const none = Buffer.alloc(0);

/**
 * A kept-alive connection on which requests are sent without waiting for the answers to those before (pipelining). Once the
 * server closes it, the requests that it has not answered resolve to `closed`.
 */
export class PipelinedConnection {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  readonly #timer: NodeJS.Timeout;
  #received: Buffer = none;
  #lastProgress = performance.now();
  #isOpen = true;

  /** @param patience milliseconds without any answer after which all requests resolve to `timeout`. */
  constructor(origin: string, patience: number) {
    const { hostname, port } = new URL(origin);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#end('closed'));
    this.#timer = setInterval(() => {
      if (this.#waiting.length === 0) this.#lastProgress = performance.now();
      if (performance.now() - this.#lastProgress > patience) this.#end('timeout');
    }, 1_000);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send({ method, head, body }: WireRequest): Promise<WireOutcome> {
    if (!this.#isOpen) return Promise.resolve('closed');
    return new Promise((resolve) => {
      this.#waiting.push({ method, resolve });
      this.#socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
    });
  }

  close(): void {
    this.#end('closed');
  }

  #end(outcome: WireOutcome): void {
    this.#isOpen = false;
    clearInterval(this.#timer);
    this.#socket.destroy();
    for (const { resolve } of this.#waiting.splice(0)) resolve(outcome);
  }

  #take(chunk: Buffer): void {
    this.#lastProgress = performance.now();
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    while (this.#received.length > 0) {
      const answer = readAnswer(this.#received, this.#waiting[0]?.method ?? 'GET');
      if (answer === undefined) return;
      if (answer === 'malformed') {
        this.#end('malformed');
        return;
      }
      this.#received = this.#received.subarray(answer.end);
      // An interim answer (100 Continue) precedes the one that counts.
      if (answer.status >= 200) this.#waiting.shift()?.resolve(answer);
      if (/close/i.test(String(answer.headers.connection)) && answer.status >= 200) this.#isOpen = false;
    }
  }
}

/** An answer and where what follows it begins. */
export interface WireAnswer extends CheckedAnswer {
  readonly end: number;
}

/** Undefined as long as it is not all there. */
export function readAnswer(bytes: Buffer, method: string): WireAnswer | 'malformed' | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return bytes.length > 100_000 ? 'malformed' : undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] =
      /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return 'malformed';
    headers[name.toLowerCase()] = value;
  }
  if (!(status >= 100 && status < 600)) return 'malformed';
  const start = headEnd + 4;
  const bodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  const framed = bodiless ? { body: none, end: start } : readBody(bytes, start, headers);
  return framed === undefined || framed === 'malformed' ? framed : { status, headers, ...framed };
}

interface Framed {
  readonly body: Buffer;
  readonly end: number;
}

function readBody(
  bytes: Buffer,
  start: number,
  headers: Readonly<Record<string, string>>,
): Framed | 'malformed' | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start);
  const length = Number(headers['content-length']);
  if (!Number.isSafeInteger(length) || length < 0) return 'malformed';
  const end = start + length;
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): Framed | 'malformed' | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9a-f]+$/i.test(size)) return 'malformed';
    const length = Number.parseInt(size, 16);
    const end = lineEnd + 2 + length + 2;
    if (bytes.length < end) return undefined;
    if (length === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(bytes.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
