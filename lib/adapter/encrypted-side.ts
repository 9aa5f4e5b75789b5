import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { Turns } from '../turns.ts';
import { TlsRecords } from './tls-records.ts';

/** Records that are decrypted in one turn of the event loop, of all connections; each may take 25 µs. */
const perTurn = 256;
/** Records that are passed on at once: a read of 64 KiB has five of the usual 16 KiB. */
const few = 8;
/**
 * Records in a row that may bring no data: those of a handshake, of closing, and `KeyUpdate` (RFC 8446 4.6.3), which clients send
 * after millions of others.
 */
const mostWithoutData = 32;

const turns = new Turns(perTurn);
let passedInTurn = 0;
/** Whose bytes are being decrypted. */
let decrypted: EncryptedSide | undefined;

/**
 * The encrypted side of a TLS connection, as the stream below Node's TLS socket. On a socket of its own, Node.js decrypts up to
 * 2 MiB in one turn of the event loop, and neither tells of records without data nor can be stopped: 20,000 of them take 200 ms.
 * It has what Node.js uses of a stream; a `Duplex` would keep all bytes in two more buffers.
 */
export class EncryptedSide extends EventEmitter {
  readonly allowHalfOpen = false;
  readonly readable = true;
  readonly writable = true;
  readonly #socket: Socket;
  readonly #handshakes: Turns;
  readonly #records = new TlsRecords();
  /** Undefined until the handshake is complete. */
  #secure: TLSSocket | undefined;
  #isPaused = false;
  #isPassing = false;
  #hasEnded = false;
  #withoutData = 0;

  private constructor(socket: Socket, handshakes: Turns) {
    super();
    this.#socket = socket;
    this.#handshakes = handshakes;
    // Whether an answer is sent to a client that has ended its side is decided by the TLS socket.
    socket.allowHalfOpen = true;
    socket.on('data', (piece: Buffer) => this.#receive(piece));
    socket.once('end', () => this.#end());
    socket.once('close', () => this.emit('close'));
  }

  /**
   * @param socket nothing else may read from it.
   * @param handshakes in whose turns the bytes of handshakes are passed on.
   */
  static of(socket: Socket, handshakes: Turns): Duplex {
    return new EncryptedSide(socket, handshakes) as unknown as Duplex;
  }

  /** Call it when a handshake is complete, before others use the TLS socket: gives it the addresses of its connection. */
  static adopt(secure: TLSSocket): void {
    if (decrypted === undefined || decrypted.#secure !== undefined) return;
    decrypted.#secure = secure;
    const names = ['remoteAddress', 'remoteFamily', 'remotePort', 'localAddress', 'localPort'] as const;
    for (const name of names) Object.defineProperty(secure, name, { value: decrypted.#socket[name] });
  }

  pause(): this {
    this.#isPaused = true;
    this.#socket.pause();
    return this;
  }

  resume(): this {
    this.#isPaused = false;
    if (!this.#isPassing) this.#socket.resume();
    return this;
  }

  write(bytes: Buffer, done: (error?: Error | null) => void): boolean {
    return this.#socket.write(bytes, done);
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  end(done: () => void): this {
    this.#socket.end(done);
    return this;
  }

  destroy(): this {
    this.#socket.destroy();
    return this;
  }

  #receive(piece: Buffer): void {
    const first = this.#records.next(piece, 0, few);
    const isAll = first.end === piece.length;
    if (isAll && this.#secure !== undefined && mayPass(first.count)) this.#pass(piece, first.count);
    else void this.#passInTurns(piece, first);
  }

  async #passInTurns(piece: Buffer, first: { readonly end: number; readonly count: number }): Promise<void> {
    this.#isPassing = true;
    this.#socket.pause();
    for (let [at, slice] = [0, first]; ; slice = this.#records.next(piece, at, few)) {
      await this.#turn(slice.count);
      if (this.#socket.destroyed) return;
      this.#pass(piece.subarray(at, slice.end), slice.count);
      at = slice.end;
      if (at === piece.length) break;
    }
    this.#isPassing = false;
    if (this.#hasEnded) this.emit('end');
    else if (!this.#isPaused) this.#socket.resume();
  }

  /**
   * Any bytes may complete a ClientHello, also where no record of TLS ends: OpenSSL still reads that of SSL 2.0, which has
   * another form.
   */
  #turn(count: number): Promise<void> {
    return this.#secure === undefined ? this.#handshakes.take(1) : turns.take(count);
  }

  /** A paused socket still notices that its client has ended its side, which comes behind the bytes that wait here. */
  #end(): void {
    if (this.#isPassing) this.#hasEnded = true;
    else this.emit('end');
  }

  #pass(bytes: Buffer, count: number): void {
    const before = this.#secure?.bytesRead ?? 0;
    decrypted = this;
    this.emit('data', bytes);
    decrypted = undefined;
    const hasData = (this.#secure?.bytesRead ?? 0) > before;
    this.#withoutData = hasData ? 0 : this.#withoutData + count;
    if (this.#withoutData > mostWithoutData) this.#socket.destroy();
  }
}

/** Whether so many records may be decrypted at once, in the order of arrival. */
function mayPass(count: number): boolean {
  if (turns.isAwaited || passedInTurn + count > perTurn) return false;
  if (passedInTurn === 0) {
    setImmediate(() => {
      passedInTurn = 0;
    });
  }
  passedInTurn += count;
  return true;
}
