import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InvalidError, UnavailableError } from '../../../lib/errors.ts';
import { ClamdScanner } from '../../../lib/scanning/clamd.ts';
import { freePort } from '../../support/free-port.ts';

let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  server?.close();
});

const mostBytes = 5_000_000;

/** A stand-in for the daemon. @param answer is called with all bytes when the end of a stream has arrived. */
async function scannerAt(answer: (socket: Socket, received: Buffer) => unknown): Promise<ClamdScanner> {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece]);
      if (received.subarray(-4).equals(Buffer.alloc(4))) answer(socket, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return new ClamdScanner({
    host: '127.0.0.1',
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    mostBytes,
  });
}

const content = (text: string) => ({ name: text.slice(0, 20), bytes: Buffer.from(text) });

/** The contents in the chunks of a stream. */
function streamed(received: Buffer): string {
  const start = 'zINSTREAM\0'.length;
  const pieces: Buffer[] = [];
  for (let at = start; received.readUInt32BE(at) > 0; ) {
    const length = received.readUInt32BE(at);
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return Buffer.concat(pieces).toString();
}

describe('a scan by the ClamAV daemon', () => {
  it('streams each content in chunks over a connection of its own, few at the same time', async () => {
    const seen: string[] = [];
    let [scanning, most] = [0, 0];
    const scanner = await scannerAt(async (socket, received) => {
      seen.push(streamed(received));
      scanning += 1;
      most = Math.max(most, scanning);
      // What has arrived meanwhile is counted, too.
      await setImmediate();
      scanning -= 1;
      socket.end('stream: OK\0');
    });
    const texts = [
      '',
      'short',
      'long'.repeat(50_000),
      ...Array.from({ length: 20 }, (_, index) => `n ${index}`),
    ];
    await scanner.check(texts.map(content), 'ann');
    expect(seen.toSorted()).toEqual(texts.toSorted());
    expect(most).toBeLessThanOrEqual(4);
  });

  it('takes the contents of several clients in turns, however many each has', async () => {
    const seen: string[] = [];
    const scanner = await scannerAt((socket, received) => {
      seen.push(streamed(received));
      socket.end('stream: OK\0');
    });
    const many = scanner.check(
      Array.from({ length: 100 }, (_, index) => content(`many ${index}`)),
      'ann',
    );
    await scanner.check([content('few'), content('few')], 'bob');
    expect(seen.filter((text) => text === 'few')).toHaveLength(2);
    expect(seen.length).toBeLessThan(20);
    await many;
    expect(seen).toHaveLength(102);
  });

  it('names every content in which something is found', async () => {
    const scanner = await scannerAt((socket, received) =>
      socket.end(streamed(received).startsWith('bad') ? 'stream: Eicar-Test FOUND\0' : 'stream: OK\0'),
    );
    const error: unknown = await scanner
      .check(['bad one', 'good', 'bad two'].map(content), 'ann')
      .catch((e) => e);
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({
      message: 'ClamAV has found malware, so nothing is stored: bad one, bad two.',
      details: [
        { path: 'bad one', message: 'contains Eicar-Test, as ClamAV calls it' },
        { path: 'bad two', message: 'contains Eicar-Test, as ClamAV calls it' },
      ],
    });
  });

  it.each([
    ['an answer without its end', 'stream: OK'],
    ['an error', 'INSTREAM size limit exceeded. ERROR\0'],
    ['nothing', ''],
    ['anything else', 'stream: OK maybe\0'],
    ['an answer without end', 'x'.repeat(10_000)],
  ])('counts as failed by %s', async (_, reply) => {
    const scanner = await scannerAt((socket) => socket.end(reply));
    await expect(scanner.check([content('x')], 'ann')).rejects.toThrow(UnavailableError);
  });

  it('counts as failed by an answer before the content is there', async () => {
    const connected: Socket[] = [];
    server = createServer({ pauseOnConnect: true }, (socket) => {
      connected.push(socket);
      socket.on('error', () => {});
      socket.write('stream: OK\0');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // More than the systems of both sides buffer.
    const bytes = Buffer.alloc(64 * 1024 * 1024);
    const check = new ClamdScanner({ host: '127.0.0.1', port, mostBytes }).check(
      [{ name: 'x', bytes }],
      'ann',
    );
    await expect(check).rejects.toMatchObject({
      cause: { message: 'clamd answers before it has the content' },
    });
    for (const socket of connected) socket.destroy();
  });

  describe('by a daemon that does not come to an end', () => {
    /** @returns the scanner and what resolves when the daemon has got that many contents; it answers those of later connections. */
    async function scannerOfSilent(count: number) {
      let got = 0;
      let resolve = (): void => {};
      const silent = new Promise<void>((done) => {
        resolve = done;
      });
      const scanner = await scannerAt((socket) => {
        got += 1;
        if (got > count) return socket.end('stream: OK\0');
        if (got === count) resolve();
        return socket.write('stream: ');
      });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      return { scanner, silent };
    }
    const outcomesOf = (checks: readonly Promise<void>[]) =>
      Promise.all(checks.map((check) => check.catch((error: unknown) => error)));

    it('fails after 30 seconds, also for those that wait, and later ones pass', async () => {
      const { scanner, silent } = await scannerOfSilent(4);
      const checks = Array.from({ length: 10 }, (_, index) => scanner.check([content(`n ${index}`)], 'ann'));
      const outcomes = outcomesOf(checks);
      await silent;
      vi.advanceTimersByTime(29_999);
      const late = scanner.check([content('late')], 'ann');
      vi.advanceTimersByTime(1);
      for (const outcome of await outcomes) expect(outcome).toBeInstanceOf(UnavailableError);
      await expect(late).resolves.toBeUndefined();
    });

    it('refuses further ones at once when too many bytes wait, and none of a single request', async () => {
      const { scanner, silent } = await scannerOfSilent(1);
      const bytes = Buffer.alloc(mostBytes);
      const outcome = outcomesOf([
        scanner.check(
          ['a', 'b'].map((name) => ({ name, bytes })),
          'ann',
        ),
      ]);
      await silent;
      await expect(scanner.check([content('y')], 'bob')).rejects.toThrow('Too many bytes wait');
      vi.advanceTimersByTime(30_000);
      expect(await outcome).toEqual([expect.any(UnavailableError)]);
      await expect(scanner.check([content('y')], 'bob')).resolves.toBeUndefined();
    });

    it('refuses further ones of a client at once when a thousand of its contents wait', async () => {
      const { scanner, silent } = await scannerOfSilent(4);
      const outcome = outcomesOf([
        scanner.check(
          Array.from({ length: 1004 }, () => content('x')),
          'ann',
        ),
      ]);
      await silent;
      await expect(scanner.check([content('y')], 'ann')).rejects.toThrow(
        'Too many contents of this key pair wait',
      );
      await expect(scanner.check([], 'ann')).resolves.toBeUndefined();
      const other = scanner.check([content('z')], 'bob');
      vi.advanceTimersByTime(30_000);
      expect(await outcome).toEqual([expect.any(UnavailableError)]);
      await expect(other).rejects.toThrow(UnavailableError);
      await expect(scanner.check([content('y')], 'ann')).resolves.toBeUndefined();
    });
  });

  it('counts as failed where nobody listens', async () => {
    const scanner = new ClamdScanner({ host: '127.0.0.1', port: await freePort(), mostBytes });
    await expect(scanner.check([content('x')], 'ann')).rejects.toThrow(UnavailableError);
    await expect(scanner.check([], 'ann')).resolves.toBeUndefined();
  });
});
