import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { networkOf } from '../rate-limits/network.ts';
import { ConnectionTable } from './connection-table.ts';

export interface ConnectionSettings {
  /** The most connections of the process; 0: as many as the file descriptors permit. */
  readonly maxConnections: number;
  /** The most connections of one client address; 0: no limit. */
  readonly maxConnectionsPerAddress: number;
}

/** File descriptors that are reserved for the database, its connections and files. */
const spareDescriptors = 128;

/** The most connections above the limit that wait for their 503. */
const maxRefused = 64;

/** A limit that connections reach. */
export interface ConnectionLimit {
  /** The name of the setting, which labels metrics. */
  readonly setting: string;
  /** For people. */
  readonly title: string;
}

const limits = {
  total: { setting: 'maxConnections', title: 'webserver.maxConnections (LRS_MAX_CONNECTIONS)' },
  perAddress: {
    setting: 'maxConnectionsPerAddress',
    title: 'webserver.maxConnectionsPerAddress (LRS_MAX_CONNECTIONS_PER_ADDRESS)',
  },
  descriptors: { setting: 'ulimit -n', title: 'the limit of open files of the process (ulimit -n)' },
};

/** Counts the connections of a process on all ports and enforces the limits. */
export class Connections {
  readonly #max: number;
  readonly #maxPerAddress: number;
  readonly #table = new ConnectionTable();
  /** The limits that refused connections exceed. */
  readonly #exceeded = new WeakMap<Socket, ConnectionLimit>();
  readonly #maxLimit: ConnectionLimit;
  #refusedCount = 0;

  constructor(
    { maxConnections, maxConnectionsPerAddress }: ConnectionSettings,
    descriptors = descriptorLimit(),
  ) {
    const possible = Math.max(descriptors - spareDescriptors, Math.floor(descriptors / 2));
    this.#max = Math.min(maxConnections || possible, possible);
    this.#maxLimit = this.#max === maxConnections ? limits.total : limits.descriptors;
    this.#maxPerAddress = maxConnectionsPerAddress || Number.POSITIVE_INFINITY;
  }

  get count(): number {
    return this.#table.count;
  }

  get isFull(): boolean {
    return this.#table.count >= this.#max;
  }

  /** The limit of all connections together. */
  get limit(): ConnectionLimit {
    return this.#maxLimit;
  }

  /**
   * Counts a connection until it closes; at the limit an idle one is closed for it.
   * @returns whether the limits permit it; otherwise it is not counted.
   */
  admit(socket: Socket): boolean {
    const network = networkOf(socket.remoteAddress);
    if (this.#table.countOf(network) >= this.#maxPerAddress) {
      this.#exceeded.set(socket, limits.perAddress);
      return false;
    }
    if (this.isFull && !this.#table.closeIdle()) {
      this.#exceeded.set(socket, this.#maxLimit);
      return false;
    }
    this.#table.add(socket, network);
    return true;
  }

  /** The requests of a connection now come from this TLS socket. */
  secure(socket: Socket): void {
    this.#table.secure(socket);
  }

  /** Call it when a request begins. */
  use(socket: Socket): void {
    this.#table.use(socket);
  }

  /**
   * Keeps a refused connection open, so that its request can get 503.
   * @returns whether that is possible.
   */
  admitRefused(socket: Socket): boolean {
    if (this.#refusedCount >= maxRefused) return false;
    this.#refusedCount += 1;
    socket.once('close', () => {
      this.#refusedCount -= 1;
    });
    return true;
  }

  /** The limit that refused the connection. */
  limitExceededBy(socket: Socket): ConnectionLimit | undefined {
    return this.#exceeded.get(socket);
  }
}

/** The most files that this process may open; infinite where the system does not tell. */
function descriptorLimit(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return Number(soft ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
