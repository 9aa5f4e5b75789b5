import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Types of the contents of records, and of the message (RFC 8446 5.1 and 4). */
const handshake = 22;
const applicationData = 23;
const keyUpdate = 24;
const hashBytes = 32;

/**
 * A connection by TLS 1.3 whose records this program makes itself behind the handshake, because Node.js sends neither `KeyUpdate`
 * nor records of a chosen length.
 */
export class RecordConnection {
  readonly socket: Socket;
  /** Reads what the server answers; nothing may be written to it. */
  readonly secure: TLSSocket;
  #secret: Buffer;
  #key: Buffer = Buffer.alloc(0);
  #iv: Buffer = Buffer.alloc(0);
  #sequence = 0;

  private constructor(socket: Socket, secure: TLSSocket, secret: Buffer) {
    this.socket = socket;
    this.secure = secure;
    this.#secret = secret;
    this.#deriveKeys();
  }

  static async open(port: number, from?: string): Promise<RecordConnection> {
    const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) });
    await once(socket, 'connect');
    const tls13 = { minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' } as const;
    const secure = connectTls({ socket, rejectUnauthorized: false, ...tls13 });
    let secret = '';
    secure.on('keylog', (line: Buffer) => {
      secret = /^CLIENT_TRAFFIC_SECRET_0 \w+ (\w+)/.exec(String(line))?.[1] ?? secret;
    });
    await once(secure, 'secureConnect');
    // Node.js sends the end of its handshake behind this event.
    await nextTurn();
    // The server closes connections while records are on their way.
    for (const each of [socket, secure]) each.on('error', () => {});
    return new RecordConnection(socket, secure, Buffer.from(secret, 'hex'));
  }

  /** The record of so many bytes of data. */
  data(text: string): Buffer {
    return this.#record(applicationData, Buffer.from(text));
  }

  /** @param asksForOne whether the server has to answer with another one. */
  keyUpdate(asksForOne = false): Buffer {
    const record = this.#record(handshake, Buffer.from([keyUpdate, 0, 0, 1, asksForOne ? 1 : 0]));
    this.#secret = this.#expand('traffic upd', hashBytes);
    this.#deriveKeys();
    return record;
  }

  #deriveKeys(): void {
    this.#key = this.#expand('key', 16);
    this.#iv = this.#expand('iv', 12);
    this.#sequence = 0;
  }

  /** HKDF-Expand-Label (RFC 8446 7.1) of at most one block. */
  #expand(label: string, length: number): Buffer {
    const name = `tls13 ${label}`;
    const info = Buffer.concat([
      Buffer.from([0, length, name.length]),
      Buffer.from(name),
      Buffer.from([0, 1]),
    ]);
    return createHmac('sha256', this.#secret).update(info).digest().subarray(0, length);
  }

  #record(type: number, content: Buffer): Buffer {
    const header = Buffer.from([applicationData, 3, 3, 0, 0]);
    header.writeUInt16BE(content.length + 17, 3);
    const nonce = Buffer.from(this.#iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.#sequence) >>> 0, 8);
    this.#sequence += 1;
    const cipher = createCipheriv('aes-128-gcm', this.#key, nonce).setAAD(header);
    const encrypted = [cipher.update(content), cipher.update(Buffer.from([type])), cipher.final()];
    return Buffer.concat([header, ...encrypted, cipher.getAuthTag()]);
  }
}
