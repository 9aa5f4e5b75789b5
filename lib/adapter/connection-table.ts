import type { Socket } from 'node:net';
import { isAnswering } from './pipelining.ts';

interface Connection {
  readonly network: Network;
  /** The source of requests: the connection itself, or the TLS socket above it. */
  socket: Socket;
  /** Grows with the start of the last request; before the first request, with the opening of the connection. */
  used: number;
}

/** The connections of one client, each kind ordered by use, the least recently used first. */
interface Network {
  /** Connections without any request yet. */
  readonly silent: Set<Connection>;
  readonly served: Set<Connection>;
}

/** The open connections of a process by client, ordered by use. */
export class ConnectionTable {
  readonly #networks = new Map<string, Network>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** By local and remote address and port, which identify the connection of a TLS socket. */
  readonly #byEnds = new Map<string, Connection>();
  #uses = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  countOf(networkName: string): number {
    const network = this.#networks.get(networkName);
    return network === undefined ? 0 : network.silent.size + network.served.size;
  }

  /** Adds a connection until it closes. */
  add(socket: Socket, networkName: string): void {
    const network = this.#networks.get(networkName) ?? { silent: new Set(), served: new Set() };
    this.#networks.set(networkName, network);
    this.#uses += 1;
    const connection = { network, socket, used: this.#uses };
    const ends = endsOf(socket);
    network.silent.add(connection);
    this.#bySocket.set(socket, connection);
    this.#byEnds.set(ends, connection);
    this.#count += 1;
    socket.once('close', () => {
      this.#remove(connection);
      if (this.#byEnds.get(ends) === connection) this.#byEnds.delete(ends);
      if (this.countOf(networkName) === 0) this.#networks.delete(networkName);
    });
  }

  /** The requests of a connection now come from this TLS socket. */
  secure(socket: Socket): void {
    const connection = this.#byEnds.get(endsOf(socket));
    if (connection === undefined) return;
    connection.socket = socket;
    this.#bySocket.set(socket, connection);
  }

  /** Call it when a request begins. */
  use(socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || !this.#has(connection)) return;
    const { silent, served } = connection.network;
    silent.delete(connection);
    served.delete(connection);
    served.add(connection);
    this.#uses += 1;
    connection.used = this.#uses;
  }

  /**
   * Closes a connection without a request in progress. First choice: one that never had a request, of the client with the
   * most of these, the oldest first. Second choice: the least recently used one.
   * @returns whether there was any.
   */
  closeIdle(): boolean {
    const idle = this.#idlest('silent') ?? this.#idlest('served');
    if (idle === undefined) return false;
    this.#remove(idle);
    idle.socket.destroy();
    return true;
  }

  #idlest(kind: keyof Network): Connection | undefined {
    let idlest: Connection | undefined;
    for (const { [kind]: connections } of this.#networks.values()) {
      const most = idlest?.network[kind].size ?? 0;
      if (connections.size < most) continue;
      const first = firstIdle(connections);
      if (first === undefined) continue;
      if (idlest === undefined || connections.size > most || first.used < idlest.used) idlest = first;
    }
    return idlest;
  }

  #has(connection: Connection): boolean {
    const { silent, served } = connection.network;
    return silent.has(connection) || served.has(connection);
  }

  /** A closing connection is not counted any more. */
  #remove(connection: Connection): void {
    if (!this.#has(connection)) return;
    connection.network.silent.delete(connection);
    connection.network.served.delete(connection);
    this.#count -= 1;
  }
}

function firstIdle(connections: ReadonlySet<Connection>): Connection | undefined {
  for (const connection of connections) if (!isAnswering(connection.socket)) return connection;
  return undefined;
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
