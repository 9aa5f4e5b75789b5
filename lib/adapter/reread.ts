import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ChunkedBody } from './chunked-body.ts';

// biome-ignore lint/suspicious/noExplicitAny: as Node.js declares listeners.
type Listener = (...args: any[]) => void;

/** Headers that request another protocol (RFC 9110 7.8). */
const upgradeHeaders = new Set(['upgrade', 'http2-settings']);

/** The connections whose next request has chunks that are merged. */
const merged = new WeakSet<Socket>();

/**
 * Whether the parser must stop at the headers of a request, because its chunks have to be merged. Call it once for each
 * request.
 */
export function hasRawChunks({ headers, socket }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined && !merged.delete(socket);
}

/**
 * Lets the server read a request again at whose headers its parser was stopped, and go on with what is behind it:
 * - An `Upgrade` header is left out, which RFC 9110 7.8 permits, and the connection goes on as HTTP/1.1. Without a listener for
 *   `upgrade`, Node.js answers the request but drops whatever the client has sent behind it.
 * - Chunks are merged before Node.js sees them. It takes 2 µs for each, and can't be stopped within what one read of the
 *   connection has brought.
 *
 * @param head what has arrived behind the headers: the body, and further requests.
 * @throws ChunkError when the framing of the body is malformed as far as it has arrived.
 */
export function readAgain(
  server: Server,
  message: IncomingMessage,
  { socket, head }: { readonly socket: Socket; readonly head: Buffer },
): void {
  const body = message.headers['transfer-encoding'] === undefined ? undefined : new ChunkedBody();
  const first = body?.take(head) ?? head;
  // The keep-alive timeout of the previous request no longer applies; the server sets new ones.
  socket.setTimeout(0);
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
  const [parse, end] = [newest(socket, 'data'), newest(socket, 'end')];
  if (body !== undefined) merged.add(socket);
  if (body?.isComplete === false) mergeChunks(server, socket, { body, parse });
  parse(Buffer.concat([Buffer.from(headersWithoutUpgrade(message), 'latin1'), first]));
  // The client has closed its side while the request waited; no second event follows.
  if (socket.readableEnded && socket.listeners('end').includes(end)) end();
}

/** The listener that Node.js added last. */
function newest(socket: Socket, event: string): Listener {
  const listener = socket.listeners(event).at(-1);
  if (listener === undefined) throw new Error(`Node.js does not listen for ${event}.`);
  return listener as Listener;
}

/** Filters the connection's data for Node's parser until the body is complete. */
function mergeChunks(
  server: Server,
  socket: Socket,
  { body, parse }: { readonly body: ChunkedBody; readonly parse: Listener },
): void {
  const take = (piece: Buffer): void => {
    let bytes: Buffer;
    try {
      bytes = body.take(piece);
    } catch (error) {
      socket.off('data', take);
      server.emit('clientError', error, socket);
      return;
    }
    if (body.isComplete) replaceListener(socket, take, parse);
    if (bytes.length > 0) parse(bytes);
  };
  replaceListener(socket, parse, take);
}

/** Without `socket.on`: Node's own takes away what makes a connection go on after a pause. */
function replaceListener(socket: Socket, present: Listener, next: Listener): void {
  EventEmitter.prototype.off.call(socket, 'data', present);
  EventEmitter.prototype.on.call(socket, 'data', next);
}

function headersWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!upgradeHeaders.has(name.toLowerCase())) text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  return `${text}\r\n`;
}
