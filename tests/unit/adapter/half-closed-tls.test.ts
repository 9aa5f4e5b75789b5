import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../lib/logger.ts';
import { RecordConnection } from '../../support/key-updates.ts';
import { type ServedRoute, serveRoute } from '../../support/served-route.ts';

/** Longer than any test. */
const timeout = '600000';

/** The beginning of a ClientHello, whose record would be longer. */
const halfOfHello = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00]);

let served: ServedRoute;
let port: number;

beforeEach(async () => {
  served = await serveRoute(() => async () => ({ statusCode: 200, body: 'answered' }), {
    env: { LRS_HEADERS_TIMEOUT: timeout, LRS_REQUEST_TIMEOUT: timeout },
    logger: createLogger('OFF'),
  });
  [, port] = served.ports;
});
afterEach(() => served.close());

describe('a client of HTTPS that ends its side of the connection', () => {
  it('within the TLS handshake has its connection closed at once, not after a timeout', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    socket.end(halfOfHello);
    socket.resume();
    await once(socket, 'end');
    socket.destroy();
  });

  it('behind a request gets its answer', async () => {
    const connection = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const socket = connectTls({ socket: connection, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.end('GET /xapi/about HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*answered$/s);
  });

  it('in one piece with a request of very many records gets its answer', async () => {
    const connection = await RecordConnection.open(port);
    const request = 'GET /xapi/about HTTP/1.1\r\nHost: x\r\n\r\n';
    connection.socket.end(Buffer.concat([...request].map((letter) => connection.data(letter))));
    expect(await text(connection.secure)).toMatch(/^HTTP\/1\.1 200 .*answered$/s);
  });
});
