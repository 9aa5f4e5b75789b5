import type { Socket } from 'node:net';
import type { Listener } from './listener.ts';

/** Requests that may wait on one connection; a client that sends more at once is cut off. */
const maxWaiting = 100;

/**
 * Handles the requests of a connection one after another, although clients may send them without waiting (RFC 9112 9.3.2). So one
 * connection holds one response in memory, and the requests act in the order in which they were sent.
 */
export function oneAtATime(listener: Listener): Listener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const handle: Listener = (message, response, expectsContinue) => {
    response.once('close', () => next(message.socket));
    listener(message, response, expectsContinue);
  };
  const next = (socket: Socket): void => {
    const queue = waiting.get(socket) ?? [];
    const first = socket.writable ? queue.shift() : undefined;
    if (first === undefined) waiting.delete(socket);
    else first();
    if (queue.length === 0 && socket.isPaused()) socket.resume();
  };
  return (message, response, expectsContinue) => {
    const { socket } = message;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      handle(message, response, expectsContinue);
    } else if (queue.length >= maxWaiting) {
      socket.destroy();
    } else {
      queue.push(() => handle(message, response, expectsContinue));
      // Further requests stay with the system, which makes the client wait.
      socket.pause();
    }
  };
}
