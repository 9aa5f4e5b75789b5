import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { beginHandshakes } from '../../../lib/adapter/handshakes.ts';

/** Longer than any test. */
const timeout = 600_000;

let server: EventEmitter;
/** The bytes that TLS was given on the connections on which it has begun. */
let begun: string[];

beforeEach(() => {
  begun = [];
  server = new EventEmitter();
  server.on('connection', (encrypted: Socket) => {
    const index = begun.push('') - 1;
    encrypted.on('data', (piece: Buffer) => {
      begun[index] += String(piece);
    });
  });
  beginHandshakes(server as Server, timeout);
});

function connection(): PassThrough {
  const socket = new PassThrough();
  server.emit('connection', socket);
  return socket;
}

describe('TLS on a connection', () => {
  it('begins with the first bytes, which it is given', async () => {
    const [silent, speaking] = [connection(), connection()];
    speaking.write('hello');
    await expect.poll(() => begun).toEqual(['hello']);
    silent.destroy();
    speaking.destroy();
  });

  it('begins on few connections in one turn of the event loop', async () => {
    const sockets = Array.from({ length: 100 }, connection);
    for (const [index, socket] of sockets.entries()) socket.write(String(index));
    let most = 0;
    for (let before = 0; begun.length < sockets.length; before = begun.length) {
      await nextTurn();
      most = Math.max(most, begun.length - before);
    }
    expect(most).toBeLessThanOrEqual(8);
    await expect.poll(() => begun).toEqual(sockets.map((_, index) => String(index)));
    for (const socket of sockets) socket.destroy();
  });

  it('does not begin on one that has closed meanwhile, or whose client sends nothing', async () => {
    const [closed, ended] = [connection(), connection()];
    closed.once('readable', () => closed.destroy());
    closed.write('hello');
    ended.end();
    await expect.poll(() => ended.destroyed && closed.destroyed).toBe(true);
    await nextTurn();
    expect(begun).toEqual([]);
  });
});
