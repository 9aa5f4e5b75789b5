import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { ConnectionTable } from '../../../lib/adapter/connection-table.ts';
import { beginExchange } from '../../../lib/adapter/pipelining.ts';

let table: ConnectionTable;
let closed: string[];
let ports: number;

beforeEach(() => {
  table = new ConnectionTable();
  closed = [];
  ports = 0;
});

function socketCalled(name: string): Socket {
  ports += 1;
  const destroy = (): void => void closed.push(name);
  return Object.assign(new EventEmitter(), { remotePort: ports, destroy }) as unknown as Socket;
}

function open(name: string, network: string): Socket {
  const socket = socketCalled(name);
  table.add(socket, network);
  return socket;
}

/** A request that is answered, or that is not answered yet. */
function request(socket: Socket, isAnswered = true): void {
  const response = { socket: isAnswered ? null : socket };
  beginExchange({ socket } as IncomingMessage, response as ServerResponse);
  table.use(socket);
}

function closeAll(): string[] {
  while (table.closeIdle());
  return closed;
}

describe('the table of connections closes', () => {
  it('those of the client with the most first, of equally many those that were opened the longest time ago', () => {
    open('a1', 'a');
    for (const name of ['b1', 'b2', 'b3']) open(name, 'b');
    for (const name of ['c1', 'c2']) open(name, 'c');
    expect(closeAll()).toEqual(['b1', 'b2', 'c1', 'a1', 'b3', 'c2']);
    expect(table.count).toBe(0);
  });

  it('those that never had a request first, then those whose last request is the longest time ago', () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => open(name, 'a'));
    for (const socket of [first, second, third, first]) if (socket) request(socket);
    open('silent', 'b');
    expect(closeAll()).toEqual(['silent', 'second', 'third', 'first']);
  });

  it('none with a request in progress', () => {
    const busy = open('busy', 'a');
    request(busy, false);
    open('idle', 'b');
    expect(closeAll()).toEqual(['idle']);
    expect([table.count, table.countOf('a'), table.countOf('b')]).toEqual([1, 1, 0]);
    request(busy);
    expect(closeAll()).toEqual(['idle', 'busy']);
  });

  it('the TLS socket of a connection, whose requests count', () => {
    const raw = open('raw', 'a');
    const secure = Object.assign(socketCalled('secure'), { remotePort: raw.remotePort });
    table.secure(secure);
    request(secure, false);
    expect(closeAll()).toEqual([]);
    request(secure);
    expect(closeAll()).toEqual(['secure']);
  });

  it('each once, and counts those no more that have closed', () => {
    const socket = open('one', 'a');
    table.closeIdle();
    socket.emit('close');
    request(socket);
    expect([table.count, table.countOf('a'), table.closeIdle()]).toEqual([0, 0, false]);
    open('other', 'a').emit('close');
    expect(table.count).toBe(0);
    expect(closed).toEqual(['one']);
  });
});
