import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** How a connection is left. */
export const endings = ['reset', 'half-close', 'close', 'stall'] as const;
export type Ending = (typeof endings)[number];

export interface Dial {
  /** Origin, by HTTP or HTTPS. */
  readonly origin: string;
  /** Address of this machine that the connection comes from. */
  readonly from?: string;
}

/** A connection on which any bytes can be sent. */
export interface RawConnection {
  /** The socket that bytes are written to. */
  readonly stream: Socket;
  /** Ends it without saying goodbye (TCP RST). */
  reset(): void;
}

/** Most milliseconds until a connection is there; a server that has no room left may never accept it. */
const connectPatience = 10_000;

/** Addresses of the loopback network, a different one for each index up to 60,000. */
export function loopbackAddress(index: number): string {
  return `127.1.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`;
}

/** @throws Error when the server can't be reached, or not in time. */
export async function dial({ origin, from }: Dial): Promise<RawConnection> {
  const { protocol, hostname: host, port } = new URL(origin);
  const options = { host, port: Number(port), ...(from !== undefined && { localAddress: from }) };
  const socket = connect(options);
  const reset = (): void => {
    socket.resetAndDestroy();
  };
  const signal = AbortSignal.timeout(connectPatience);
  try {
    await once(socket, 'connect', { signal });
    socket.setNoDelay(true);
    if (protocol === 'http:') return { stream: quiet(socket), reset };
    const secure = connectTls({ socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect', { signal });
    quiet(socket);
    return { stream: quiet(secure), reset };
  } catch (error) {
    quiet(socket).destroy();
    throw error;
  }
}

/** A connection that breaks is what hostile clients expect. */
function quiet<S extends Socket>(socket: S): S {
  socket.on('error', () => {});
  return socket;
}

/** All bytes that come until the other side closes the connection, at most for so many milliseconds. */
export function receiveAll({ stream }: RawConnection, milliseconds: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    };
    const timer = setTimeout(finish, milliseconds);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('close', finish);
    stream.once('end', finish);
  });
}

/** Writes and, when the other side does not read fast enough, waits; resolves also when the connection breaks. */
export function write({ stream }: RawConnection, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    if (stream.destroyed || stream.write(bytes)) return done();
    stream.on('drain', done);
    stream.on('close', done);
  });
}

/** Leaves a connection; one that is to stall is only given up after so many milliseconds. */
export function leave(connection: RawConnection, ending: Ending, stallMilliseconds = 2_000): Promise<void> {
  const { stream, reset } = connection;
  if (ending === 'reset') reset();
  else if (ending === 'close') stream.destroy();
  else if (ending === 'half-close') stream.end();
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => stream.destroy(), stallMilliseconds);
    stream.resume();
    stream.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
