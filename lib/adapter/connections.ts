import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { ConnectionTable } from './connection-table.ts';

export interface ConnectionSettings {
  /** Connections of the process; 0: as many as there are file descriptors for. */
  readonly maxConnections: number;
  /** Connections of one client address; 0: no limit. */
  readonly maxConnectionsPerAddress: number;
}

/** File descriptors that are left to the database, its connections and files. */
const spareDescriptors = 128;

/** Connections above the limit that may wait for a moment to be told so. */
const maxRefused = 64;

const names = {
  total: 'webserver.maxConnections (LRS_MAX_CONNECTIONS)',
  perAddress: 'webserver.maxConnectionsPerAddress (LRS_MAX_CONNECTIONS_PER_ADDRESS)',
  descriptors: 'the limit of open files of the process (ulimit -n)',
};

/** Counts the connections of a process, all ports together, and decides which are too many. */
export class Connections {
  readonly #max: number;
  readonly #maxPerAddress: number;
  readonly #table = new ConnectionTable();
  /** The limits that refused connections exceed. */
  readonly #exceeded = new WeakMap<Socket, string>();
  readonly #maxName: string;
  #refusedCount = 0;

  constructor(
    { maxConnections, maxConnectionsPerAddress }: ConnectionSettings,
    descriptors = descriptorLimit(),
  ) {
    const possible = Math.max(descriptors - spareDescriptors, Math.floor(descriptors / 2));
    this.#max = Math.min(maxConnections || possible, possible);
    this.#maxName = this.#max === maxConnections ? names.total : names.descriptors;
    this.#maxPerAddress = maxConnectionsPerAddress || Number.POSITIVE_INFINITY;
  }

  get count(): number {
    return this.#table.count;
  }

  get isFull(): boolean {
    return this.#table.count >= this.#max;
  }

  /** The limit of all connections together, e.g. `webserver.maxConnections (LRS_MAX_CONNECTIONS)`. */
  get limit(): string {
    return this.#maxName;
  }

  /**
   * Counts a connection until it closes; when there are as many as may be, an idle one is closed for it.
   * @returns whether the limits permit it; one that they don't is not counted.
   */
  admit(socket: Socket): boolean {
    const network = networkOf(socket.remoteAddress ?? '');
    if (this.#table.countOf(network) >= this.#maxPerAddress) {
      this.#exceeded.set(socket, names.perAddress);
      return false;
    }
    if (this.isFull && !this.#table.closeIdle()) {
      this.#exceeded.set(socket, this.#maxName);
      return false;
    }
    this.#table.add(socket, network);
    return true;
  }

  /** From now on the requests of a connection come from this TLS socket. */
  secure(socket: Socket): void {
    this.#table.secure(socket);
  }

  /** To be called when a request begins. */
  use(socket: Socket): void {
    this.#table.use(socket);
  }

  /** Keeps a connection that was not admitted, so that it can be told so. @returns whether there is room for that. */
  admitRefused(socket: Socket): boolean {
    if (this.#refusedCount >= maxRefused) return false;
    this.#refusedCount += 1;
    socket.once('close', () => {
      this.#refusedCount -= 1;
    });
    return true;
  }

  /** The limit because of which a connection was not admitted, e.g. `webserver.maxConnections (LRS_MAX_CONNECTIONS)`. */
  limitExceededBy(socket: Socket): string | undefined {
    return this.#exceeded.get(socket);
  }
}

/** What counts as one client: an IPv4 address, or the network of an IPv6 address (64 bits), of which a client has all addresses. */
export function networkOf(address: string): string {
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  if (!address.includes(':')) return address;
  const [start = '', end] = address.split('::');
  const first = start === '' ? [] : start.split(':');
  const last = end === undefined || end === '' ? [] : end.split(':');
  const zeros = end === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

/** How many files this process may have open; infinite where the system does not say. */
function descriptorLimit(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return Number(soft ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
