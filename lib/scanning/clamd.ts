import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { MalwareError, UnavailableError } from '../errors.ts';
import { WaitingLine } from '../waiting-line.ts';
import type { ContentScanner, ScannedContent } from './types.ts';

export interface ClamdOptions {
  readonly host: string;
  readonly port: number;
  /** So many bytes may be scanned or wait at the same time; a single request may have more. */
  readonly mostBytes: number;
}

/** Milliseconds in which all contents of a request have to be scanned, the time included in which they wait. */
const timeout = 30_000;
/** Scans of this process at the same time; clamd has ten threads unless it is set otherwise, and several processes may share it. */
const mostScans = 4;
/** Contents of a client that wait. A request that comes when there are fewer may add all of its own, however many it has. */
const mostWaiting = 1000;
/** Bytes of one chunk of a stream. */
const chunkBytes = 64 * 1024;
/** Bytes of an answer that is believed to be one. */
const longestReply = 4096;

/** What clamd says of content in which it finds nothing. */
const clean = 'stream: OK';

/** Scans contents by the ClamAV daemon, each over a connection of its own (clamd(8), INSTREAM). */
export class ClamdScanner implements ContentScanner {
  readonly #options: ClamdOptions;
  /** What lets those in that wait. */
  readonly #waiting = new WaitingLine<() => void>();
  #active = 0;
  /** Bytes that are scanned or wait. */
  #bytes = 0;

  constructor(options: ClamdOptions) {
    this.#options = options;
  }

  async check(contents: readonly ScannedContent[], client: string): Promise<void> {
    const found = await this.#signaturesOf(contents, client);
    const details = found.flatMap((signature, index) =>
      signature === undefined
        ? []
        : [
            {
              path: contents[index]?.name ?? '',
              message: `contains ${signature}, as ClamAV calls it`,
              rule: 'malware',
            },
          ],
    );
    if (details.length === 0) return;
    const names = details.map(({ path }) => path).join(', ');
    throw new MalwareError(`ClamAV has found malware, so nothing is stored: ${names}.`, { details });
  }

  /** The signatures that are found, one for each content. Nothing is scanned any more when one of them has failed. */
  async #signaturesOf(contents: readonly ScannedContent[], client: string): Promise<(string | undefined)[]> {
    if (contents.length > 0 && this.#waiting.lengthOf(client) >= mostWaiting) {
      throw new UnavailableError(
        'Too many contents of this key pair wait for their scan at this moment; try again.',
      );
    }
    const bytes = contents.reduce((sum, content) => sum + content.bytes.length, 0);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#options.mostBytes) {
      throw new UnavailableError('Too many bytes wait for their scan at this moment; try again.');
    }
    this.#bytes += bytes;
    const scans = new AbortController();
    // Each content listens, so many listeners are no leak.
    setMaxListeners(0, scans.signal);
    const late = new Error(`clamd has not scanned the contents of a request within ${timeout} ms`);
    const deadline = setTimeout(() => scans.abort(late), timeout);
    try {
      return await Promise.all(contents.map((content) => this.#scan(content, client, scans.signal)));
    } catch (cause) {
      throw new UnavailableError('The content could not be scanned for malware, so nothing is stored.', {
        cause,
      });
    } finally {
      this.#bytes -= bytes;
      clearTimeout(deadline);
      scans.abort();
    }
  }

  async #scan({ bytes }: ScannedContent, client: string, signal: AbortSignal): Promise<string | undefined> {
    await this.#enter(client, signal);
    try {
      return signatureIn(await replyTo(bytes, { ...this.#options, signal }));
    } finally {
      this.#leave();
    }
  }

  /** Waits for a place. @throws what the signal has for a reason when that comes first. */
  async #enter(client: string, signal: AbortSignal): Promise<void> {
    if (this.#active < mostScans) {
      this.#active += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.leave(client, enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#waiting.join(client, enter);
      signal.addEventListener('abort', giveUp);
    });
  }

  /** The place passes to the next one that waits. */
  #leave(): void {
    const next = this.#waiting.next();
    if (next === undefined) this.#active -= 1;
    else next();
  }
}

/** @throws Error when it does not say that the content is clean, or what is in it. */
function signatureIn(reply: string): string | undefined {
  if (reply === clean) return undefined;
  const [, signature] = /^stream: (.+) FOUND$/.exec(reply) ?? [];
  if (signature === undefined) throw new Error(`clamd answers ${JSON.stringify(reply)}`);
  return signature;
}

/** What clamd says to the bytes, without the zero at its end. @throws AbortError */
function replyTo(bytes: Buffer, options: ClamdOptions & { readonly signal: AbortSignal }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const failed = (reason: Error): void => {
      socket.destroy();
      reject(reason);
    };
    let reply = '';
    let isSent = false;
    socket.on('error', failed);
    socket.on('data', (piece) => {
      reply += piece.toString('latin1');
      if (!isSent && reply.startsWith(clean)) failed(new Error('clamd answers before it has the content'));
      if (reply.length > longestReply) failed(new Error('clamd answers at length'));
    });
    // An answer without its end is none: clamd may have been stopped.
    socket.on('close', () => {
      if (reply.endsWith('\0')) resolve(reply.slice(0, -1));
      else reject(new Error('clamd closes the connection without an answer'));
    });
    socket.on('connect', () =>
      sendStream(socket, bytes, () => {
        isSent = true;
      }),
    );
  });
}

/** @param beforeEnd called when the system has taken all but the end of the stream, before which nothing has been scanned. */
function sendStream(socket: Socket, bytes: Buffer, beforeEnd: () => void): void {
  socket.write('zINSTREAM\0');
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    socket.write(lengthOf(chunk.length));
    socket.write(chunk);
  }
  // What has arrived by then is an answer to nothing.
  socket.write('', () =>
    setImmediate(() => {
      beforeEnd();
      socket.write(lengthOf(0));
    }),
  );
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
