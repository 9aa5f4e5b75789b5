import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { limitConnections } from './admission.ts';
import type { KeyPair } from './certificate.ts';
import { takeHostOfTarget } from './event.ts';
import { beginHandshakes } from './handshakes.ts';
import { HostCheck } from './host-check.ts';
import { createListener, type Listener, type ListenerOptions } from './listener.ts';
import { beginExchange, maxHeadersCount, SequentialMessage } from './pipelining.ts';
import { answerRefusals, formalError, refuseConnection, refuseFormally } from './refusals.ts';

/** Room for a GET whose query holds a large Agent. */
const maxHeaderSize = 64 * 1024;

const serverOptions = {
  IncomingMessage: SequentialMessage,
  maxHeaderSize,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // Node would refuse such a request without saying why.
  requireHostHeader: false,
} satisfies ServerOptions<typeof SequentialMessage>;

/** A renegotiation of TLS 1.2 costs as much as a handshake, and a client may ask for it at any time. */
const tlsOptions = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

const sweepMilliseconds = 50;

export interface Address {
  readonly host: string;
  /** 0 lets the operating system choose. */
  readonly port: number;
}

export interface RunningServer {
  /** Where it listens, e.g. `http://0.0.0.0:8080`. */
  readonly url: string;
  readonly port: number;
  /** Has connections that begin from now on use another key pair; only for HTTPS. */
  useKeyPair(keyPair: KeyPair): void;
  /** Takes no new requests and resolves when those in flight are answered, at the latest after `graceMilliseconds`. */
  stop(graceMilliseconds: number): Promise<void>;
}

/** Serves HTTP, or HTTPS when there is a key pair. @throws Error when the address can't be had. */
export async function startServer(
  address: Address,
  options: ListenerOptions,
  keyPair?: KeyPair,
): Promise<RunningServer> {
  const { limits, refusalHeaders = {} } = options;
  const { headersTimeout, requestTimeout } = limits;
  // Node.js refuses headers that may take longer than the whole request.
  const settings = {
    ...serverOptions,
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
  };
  const server =
    keyPair === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tlsOptions, ...keyPair, handshakeTimeout: headersTimeout });
  if (keyPair !== undefined) {
    beginHandshakes(server, headersTimeout);
    keepHalfOpen(server);
  }
  const answer = createListener(options);
  const hostCheck = keyPair && options.checksHost ? new HostCheck(keyPair.cert) : undefined;
  const listener: Listener = (message, response, expectsContinue) => {
    beginExchange(message, response);
    limits.connections.use(message.socket);
    takeHostOfTarget(message);
    const error = formalError(message) ?? hostCheck?.errorOf(message);
    const exceeded = limits.connections.limitExceededBy(message.socket);
    if (exceeded !== undefined) refuseConnection(response, exceeded, refusalHeaders);
    else if (error === undefined) answer(message, response, expectsContinue);
    else refuseFormally(response, error, refusalHeaders);
  };
  server.on('request', (message, response) => {
    if (!server.listening) response.setHeader('Connection', 'close');
    listener(message, response);
  });
  // The handler decides: a body that it refuses is not asked for.
  server.on('checkContinue', (message, response) => listener(message, response, true));
  server.on('checkExpectation', listener);
  // A client that has ended its side still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  answerRefusals(server, refusalHeaders);
  server.maxHeadersCount = maxHeadersCount;
  listenForErrors(server);
  const { connections } = limits;
  limitConnections(server, { connections, isTls: keyPair !== undefined, onRefused: options.onRefused });
  const sockets = trackSockets(server);
  const port = await listen(server, address);
  // A connection that could not be accepted, e.g. for lack of a file descriptor.
  server.on('error', options.onFailure);
  const scheme = keyPair === undefined ? 'http' : 'https';
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `${scheme}://${host}:${port}`,
    port,
    useKeyPair(changed) {
      if ('setSecureContext' in server) server.setSecureContext({ ...tlsOptions, ...changed });
      hostCheck?.renew(changed.cert);
    },
    stop: (grace) => stop(server, sockets, grace),
  };
}

/**
 * Answers HTTPS clients that have ended their side after a request. Not an option of the server: a client that ends its side
 * within the handshake will never finish it, and its connection would stay until the handshake's timeout.
 */
function keepHalfOpen(server: Server): void {
  server.on('secureConnection', (socket: Socket) => {
    socket.allowHalfOpen = true;
  });
}

/**
 * Gives every socket a listener for `error` that stays: Node.js removes its own where it hands a socket over (`connect`,
 * `upgrade`), and an error without a listener ends the process. The socket closes itself after an error.
 */
function listenForErrors(server: Server): void {
  const listenTo = (socket: Socket): void => {
    if (!socket.listeners('error').includes(ignoreError)) socket.on('error', ignoreError);
  };
  server.on('connection', listenTo);
  server.on('secureConnection', listenTo);
}

function ignoreError(): void {}

function listen(server: Server, { host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

/** The open sockets of a server: Node.js itself does not know those that it hands over (`connect`, `upgrade`). */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    // After an ignored `Upgrade` the same connection comes again.
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function stop(server: Server, sockets: ReadonlySet<Socket>, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMilliseconds);
    // A connection whose request was in flight is idle only after its answer.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMilliseconds);
    server.close(() => {
      clearTimeout(giveUp);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
