import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayResult } from '../http/gateways/index.ts';

/** Milliseconds that a client may go on sending, and be silent, before the connection ends. */
const patience = { all: 30_000, silence: 2_000 };

/**
 * Answers a request whose body was not read, and closes the connection. Ending it at once would reset it under a client that
 * is still sending, which then never sees the answer (RFC 9112 9.6); so what still comes is thrown away for a while.
 */
export async function answerUnread(
  message: IncomingMessage,
  response: ServerResponse,
  { statusCode = 500, headers, body = '' }: GatewayResult,
): Promise<void> {
  const length = { 'Content-Length': Buffer.byteLength(body), ...headers };
  response.writeHead(statusCode, { ...length, Connection: 'close' });
  response.write(body);
  await discardRest(message);
  response.end();
}

function discardRest(message: IncomingMessage): Promise<void> {
  if (message.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(all);
      clearTimeout(silence);
      resolve();
    };
    const all = setTimeout(finish, patience.all);
    const silence = setTimeout(finish, patience.silence);
    message.on('data', () => silence.refresh());
    message.once('end', finish);
    message.once('close', finish);
    message.resume();
  });
}
