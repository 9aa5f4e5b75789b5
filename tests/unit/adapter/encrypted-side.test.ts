import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { EncryptedSide } from '../../../lib/adapter/encrypted-side.ts';
import { TlsRecords } from '../../../lib/adapter/tls-records.ts';
import { Turns } from '../../../lib/turns.ts';

const record = (length: number): Buffer =>
  Buffer.concat([Buffer.from([23, 3, 3, length >> 8, length & 255]), Buffer.alloc(length, 1)]);

/** Room for all bytes of handshakes at once. */
const handshakes = (): Turns => new Turns(Number.POSITIVE_INFINITY);
const encryptedSide = (socket: PassThrough, turns = handshakes()) =>
  EncryptedSide.of(socket as unknown as Socket, turns);

/** Completes the handshake of the connection whose bytes are being passed on. */
function completeHandshake(): void {
  let bytesRead = 0;
  EncryptedSide.adopt(
    Object.defineProperty({}, 'bytesRead', {
      get: () => {
        bytesRead += 1;
        return bytesRead;
      },
    }) as TLSSocket,
  );
}

describe('the records of TLS', () => {
  const bytes = Buffer.concat([0, 1, 300, 22, 0].map(record));

  it('are found wherever the pieces of a connection end', () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const records = new TlsRecords();
      const first = records.next(bytes.subarray(0, cut), 0, 100);
      const second = records.next(bytes.subarray(cut), 0, 100);
      expect(first.end + second.end).toBe(bytes.length);
      expect(first.count + second.count).toBe(5);
    }
  });

  it('are taken as many at a time as are asked for', () => {
    const records = new TlsRecords();
    const counts: number[] = [];
    for (let at = 0; at < bytes.length; ) {
      const { end, count } = records.next(bytes, at, 2);
      counts.push(count);
      at = end;
    }
    expect(counts).toEqual([2, 2, 1]);
  });

  it('count where they end', () => {
    const records = new TlsRecords();
    expect(records.next(record(300).subarray(0, 304), 0, 100)).toEqual({ end: 304, count: 0 });
    expect(records.next(record(300).subarray(304), 0, 100)).toEqual({ end: 1, count: 1 });
  });
});

describe('the encrypted side of many connections', () => {
  it('gives few records in one turn of the event loop, in order and all of them', async () => {
    let inTurn = 0;
    let most = 0;
    const sockets = Array.from({ length: 100 }, () => new PassThrough());
    const sent = Buffer.concat(Array.from({ length: 32 }, (_, length) => record(length)));
    const received = sockets.map((socket) => {
      const pieces: Buffer[] = [];
      const counted = new TlsRecords();
      encryptedSide(socket).on('data', (piece: Buffer) => {
        completeHandshake();
        pieces.push(piece);
        inTurn += counted.next(piece, 0, 1_000).count;
      });
      return pieces;
    });
    for (const socket of sockets) socket.write(sent.subarray(0, 1));
    while (received.some((pieces) => pieces.length === 0)) await nextTurn();
    for (const socket of sockets) socket.write(sent.subarray(1));
    const done = (): boolean => received.every((pieces) => Buffer.concat(pieces).length === sent.length);
    while (!done()) {
      await nextTurn();
      most = Math.max(most, inTurn);
      inTurn = 0;
    }
    // Those that pass at once and those that have waited.
    expect(most).toBeLessThanOrEqual(512);
    for (const pieces of received) expect(Buffer.concat(pieces)).toEqual(sent);
  });

  it('ends a connection whose records bring no data', async () => {
    const socket = new PassThrough();
    let passed = 0;
    encryptedSide(socket).on('data', (piece: Buffer) => {
      passed += new TlsRecords().next(piece, 0, 1_000).count;
    });
    socket.write(Buffer.concat(Array.from({ length: 1_000 }, () => record(22))));
    await expect.poll(() => socket.destroyed).toBe(true);
    expect(passed).toBe(40);
  });

  it('gives few pieces of handshakes in one turn of the event loop, whether they complete a record or not', async () => {
    let inTurn = 0;
    let passed = 0;
    let most = 0;
    const turns = new Turns(8);
    const sockets = Array.from({ length: 100 }, () => new PassThrough());
    for (const socket of sockets) {
      encryptedSide(socket, turns).on('data', ({ length }: Buffer) => {
        inTurn += 1;
        passed += length;
      });
    }
    const pieces = [record(10).subarray(0, 1), record(10).subarray(1, 14), record(10).subarray(14)];
    for (let [index, sent] = [0, 0]; index < pieces.length; index += 1) {
      const piece = pieces[index] as Buffer;
      for (const socket of sockets) socket.write(piece);
      sent += piece.length * sockets.length;
      do {
        await nextTurn();
        most = Math.max(most, inTurn);
        inTurn = 0;
      } while (passed < sent);
    }
    expect(most).toBeLessThanOrEqual(8);
    for (const socket of sockets) socket.destroy();
  });

  it('gives the end of a connection behind all bytes that came before it', async () => {
    // As a socket does while its other direction is open, it stays when it has ended.
    const socket = new PassThrough({ autoDestroy: false });
    const given: (number | string)[] = [];
    encryptedSide(socket)
      .on('data', ({ length }: Buffer) => given.push(length))
      .on('end', () => given.push('end'));
    socket.end(Buffer.concat(Array.from({ length: 17 }, () => record(5))));
    await expect.poll(() => given.at(-1)).toBe('end');
    await nextTurn();
    expect(given).toEqual([80, 80, 10, 'end']);
  });
});
