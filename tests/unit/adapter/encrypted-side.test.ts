import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EncryptedSide } from '../../../lib/adapter/encrypted-side.ts';
import { TlsRecords } from '../../../lib/adapter/tls-records.ts';

const record = (length: number): Buffer =>
  Buffer.concat([Buffer.from([23, 3, 3, length >> 8, length & 255]), Buffer.alloc(length, 1)]);

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
      EncryptedSide.of(socket as unknown as Socket).on('data', (piece: Buffer) => {
        pieces.push(piece);
        inTurn += counted.next(piece, 0, 1_000).count;
      });
      return pieces;
    });
    for (const socket of sockets) socket.write(sent);
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
    EncryptedSide.of(socket as unknown as Socket).on('data', (piece: Buffer) => {
      passed += new TlsRecords().next(piece, 0, 1_000).count;
    });
    socket.write(Buffer.concat(Array.from({ length: 1_000 }, () => record(22))));
    await expect.poll(() => socket.destroyed).toBe(true);
    expect(passed).toBe(40);
  });
});
