import { TooLargeError } from '../../../errors.ts';
import type { MariadbBulk, MariadbQuery } from './sql.ts';

/** The most bytes that a command and its values have beside the values themselves. */
const bytesOfCommand = 1024;
const bytesOfValue = 16;

/** More than this many bytes of UTF-8 a UTF-16 code unit never needs. */
const bytesOfCodeUnit = 3;

/**
 * Checks what is sent against `max_allowed_packet` before it is sent: the server answers a larger message by closing the
 * connection, which often looks like an interrupted network, so that the transaction would be repeated in vain.
 */
export class PacketLimit {
  /** Bytes; no limit until a server has told its own. */
  bytes = Number.POSITIVE_INFINITY;

  /** @throws TooLargeError when the server would refuse the query. */
  require({ sql, values }: MariadbQuery): void {
    this.#require(this.#sizeOf(sql, values));
  }

  /**
   * The rows in as many messages as they need, which is usually one.
   * @throws TooLargeError when the server would refuse one of the rows.
   */
  split(bulk: MariadbBulk): MariadbBulk[] {
    const { sql, rows } = bulk;
    const parts: unknown[][][] = [];
    let part: unknown[][] = [];
    let bytes = 0;
    for (const row of rows) {
      const size = this.#sizeOf(sql, row);
      this.#require(size);
      const added = size - bytesOfCommand - sql.length;
      if (part.length > 0 && bytes + added > this.bytes) {
        parts.push(part);
        part = [];
      }
      bytes = part.length === 0 ? size : bytes + added;
      part.push(row);
    }
    return parts.length === 0 ? [bulk] : [...parts, part].map((some) => ({ sql, rows: some }));
  }

  #sizeOf(sql: string, values: readonly unknown[]): number {
    const most = sizeOf(sql, values, (text) => bytesOfCodeUnit * text.length);
    return most <= this.bytes ? most : sizeOf(sql, values, Buffer.byteLength);
  }

  #require(size: number): void {
    if (size > this.bytes) {
      throw new TooLargeError(
        `A part of the request is larger than the ${this.bytes} bytes that max_allowed_packet of the database server permits.`,
      );
    }
  }
}

function sizeOf(sql: string, values: readonly unknown[], textSize: (text: string) => number): number {
  let bytes = bytesOfCommand + sql.length;
  for (const value of values) {
    bytes += bytesOfValue;
    if (typeof value === 'string') bytes += textSize(value);
    else if (value instanceof Uint8Array) bytes += value.length;
  }
  return bytes;
}
