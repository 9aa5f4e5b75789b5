import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * One kept-alive HTTP/1.1 connection that sends a request at a time. It does no more than a load generator needs, so that
 * the machine it shares with the server is the server's: answers must carry a Content-Length.
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

  send(head: string, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(head + body);
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
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + endOfHead.length + length;
    if (this.#received.length < end) return;
    const body = this.#received.toString('utf8', headEnd + endOfHead.length, end);
    this.#received = this.#received.subarray(end);
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
