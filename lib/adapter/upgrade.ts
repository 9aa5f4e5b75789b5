import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Headers by which a client asks for another protocol (RFC 9110 7.8). */
const upgradeHeaders = new Set(['upgrade', 'http2-settings']);

/**
 * Takes a request with an `Upgrade` header out of its protocol: the server reads it again as one without that header, which
 * RFC 9110 7.8 permits, and the connection goes on as HTTP/1.1. Without a listener for `upgrade`, Node.js answers the request
 * but drops whatever the client has sent behind it.
 * @param head what has arrived behind the headers: the body, and further requests.
 */
export function ignoreUpgrade(
  server: Server,
  message: IncomingMessage,
  { socket, head }: { readonly socket: Socket; readonly head: Buffer },
): void {
  // A keep-alive timeout of the previous request no longer applies; the server sets new ones.
  socket.setTimeout(0);
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(headersWithoutUpgrade(message), 'latin1'));
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
}

function headersWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!upgradeHeaders.has(name.toLowerCase())) text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  return `${text}\r\n`;
}
