import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../lib/logger.ts';
import { type ServedRoute, serveRoute } from '../../support/served-route.ts';

describe('answers to what never becomes a request', () => {
  let served: ServedRoute;

  beforeAll(async () => {
    served = await serveRoute(() => async () => ({ statusCode: 204 }), {
      env: { LRS_SEC_HEAD_FRAME: 'SAMEORIGIN', LRS_HEADERS_TIMEOUT: '2000' },
      logger: createLogger('WARN', { write: () => {} }),
    });
  });
  afterAll(() => served.close());

  function answerTo(sent: string, isSecure: boolean): Promise<string> {
    const at = { host: '127.0.0.1', port: served.ports[isSecure ? 1 : 0] };
    const socket: Socket = isSecure ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
    socket.write(sent);
    return text(socket);
  }

  it.each([
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
    ['too many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(1000)}\r\n`, 431],
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a request that does not arrive', 'GET / HTTP/1.1\r\n', 408],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ])('have the security headers of the settings, HSTS only by HTTPS: %s', async (_, sent, status) => {
    for (const isSecure of [false, true]) {
      const answer = await answerTo(sent, isSecure);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain('\r\nX-Frame-Options: SAMEORIGIN\r\n');
      expect(answer).toContain("\r\nContent-Security-Policy: default-src 'none'; ");
      expect(answer.match(/X-Content-Type-Options: nosniff/g)).toHaveLength(1);
      expect(answer.includes('\r\nStrict-Transport-Security: max-age=')).toBe(isSecure);
    }
  });
});
