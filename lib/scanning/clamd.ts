import { connect } from 'node:net';
import { InvalidError, UnavailableError } from '../errors.ts';
import type { ContentScanner, ScannedContent } from './types.ts';

export interface ClamdOptions {
  readonly host: string;
  readonly port: number;
}

/** Milliseconds in which a scan has to make progress. */
const timeout = 30_000;
/** Scans of this process at the same time; clamd has ten threads unless it is set otherwise, and several processes may share it. */
const mostScans = 4;
/** Bytes of one chunk of a stream. */
const chunkBytes = 64 * 1024;
/** Bytes of an answer that is believed to be one. */
const longestReply = 4096;

/** Scans contents by the ClamAV daemon, each over a connection of its own (clamd(8), INSTREAM). */
export class ClamdScanner implements ContentScanner {
  readonly #options: ClamdOptions;
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  constructor(options: ClamdOptions) {
    this.#options = options;
  }

  async check(contents: readonly ScannedContent[]): Promise<void> {
    const found = await Promise.all(contents.map((content) => this.#scan(content)));
    const details = found.flatMap((signature, index) =>
      signature === undefined
        ? []
        : [{ path: contents[index]?.name ?? '', message: `contains ${signature}, as ClamAV calls it` }],
    );
    if (details.length === 0) return;
    const names = details.map(({ path }) => path).join(', ');
    throw new InvalidError(`ClamAV has found malware, so nothing is stored: ${names}.`, { details });
  }

  /** The signature that is found, if any. */
  async #scan({ bytes }: ScannedContent): Promise<string | undefined> {
    await this.#enter();
    try {
      return signatureIn(await replyTo(bytes, this.#options));
    } catch (cause) {
      throw new UnavailableError('The content could not be scanned for malware, so nothing is stored.', {
        cause,
      });
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#active < mostScans) this.#active += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The place passes to the next one that waits. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#active -= 1;
    else next();
  }
}

/** @throws Error when it does not say that the content is clean, or what is in it. */
function signatureIn(reply: string): string | undefined {
  if (reply === 'stream: OK') return undefined;
  const [, signature] = /^stream: (.+) FOUND$/.exec(reply) ?? [];
  if (signature === undefined) throw new Error(`clamd answers ${JSON.stringify(reply)}`);
  return signature;
}

/** What clamd says to the bytes, without the zero at its end. */
function replyTo(bytes: Buffer, { host, port }: ClamdOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const failed = (reason: Error): void => {
      socket.destroy();
      reject(reason);
    };
    let reply = '';
    socket.setTimeout(timeout, () => failed(new Error('clamd does not answer')));
    socket.on('error', failed);
    socket.on('data', (piece) => {
      reply += piece.toString('latin1');
      if (reply.length > longestReply) failed(new Error('clamd answers at length'));
    });
    // An answer without its end is none: clamd may have been stopped.
    socket.on('close', () => {
      if (reply.endsWith('\0')) resolve(reply.slice(0, -1));
      else reject(new Error('clamd closes the connection without an answer'));
    });
    socket.on('connect', () => sendStream(socket, bytes));
  });
}

function sendStream(socket: ReturnType<typeof connect>, bytes: Buffer): void {
  socket.write('zINSTREAM\0');
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    socket.write(lengthOf(chunk.length));
    socket.write(chunk);
  }
  socket.write(lengthOf(0));
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
