import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * One kept-alive HTTP/1.1 connection that sends a request at a time. It does no more than a load generator needs, so that
 * the machine it shares with the server is the server's: trailers, for instance, are not understood.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')));
    socket.on('error', (error) => this.#waiting?.reject(error));
  }

  static async open(url: URL): Promise<Connection> {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(head: string, body: Buffer | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.cork();
      this.#socket.write(head, 'latin1');
      if (body !== undefined) this.#socket.write(body);
      this.#socket.uncork();
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(endOfHead);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const start = headEnd + endOfHead.length;
    const message = /\r\ntransfer-encoding: *chunked/i.test(head)
      ? chunked(this.#received, start)
      : measured(this.#received, start, Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0));
    if (message === undefined) return;
    this.#received = this.#received.subarray(message.end);
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body: message.body });
  }
}

/** A body and where what follows it begins. */
interface Message {
  readonly body: Buffer;
  readonly end: number;
}

/** Undefined as long as it is not all there; so it is below. */
function measured(bytes: Buffer, start: number, length: number): Message | undefined {
  const end = start + length;
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
}

function chunked(bytes: Buffer, start: number): Message | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + length + 2;
    if (bytes.length < end) return undefined;
    if (length === 0) return { body: Buffer.concat(parts), end };
    parts.push(bytes.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
