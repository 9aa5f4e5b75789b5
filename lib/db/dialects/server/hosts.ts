import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostAddress } from '../../host-address.ts';
import type { Dialect } from '../dialect.ts';
import { isAcquireTimeout } from './network-error.ts';

/** The pause (ms) after all hosts were tried in vain. */
const pause = 100;
/** The shortest timeout (ms) for opening a connection to one of several hosts. */
const shortestTimeout = 250;

const hostForm = /^(?:\[(?<bracketed>[\da-f:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/i;

/**
 * Reads the setting `dbHost`: one host or several, separated by commas, each with a port if it differs, e.g.
 * `pg1,pg2:5433,[::1]:5434`.
 * @param port of hosts that have none.
 * @returns undefined when it can't be read.
 */
export function parseHosts(text: string, port: number): readonly HostAddress[] | undefined {
  const addresses: HostAddress[] = [];
  for (const part of text.split(',')) {
    const written = part.trim();
    if (written.startsWith('/') || isIPv6(written)) {
      addresses.push({ host: written, port });
      continue;
    }
    const { bracketed, name, port: own } = hostForm.exec(written)?.groups ?? {};
    const host = bracketed ?? name;
    if (host === undefined || Number(own ?? 0) > 65_535) return undefined;
    addresses.push({ host, port: own === undefined ? port : Number(own) });
  }
  return addresses;
}

/**
 * The hosts of a database. Where there are several, they replicate each other, and one of them, the primary, accepts writes;
 * which one may change at any time. All connections of a process belong to the host that it uses at present.
 */
export class DatabaseHosts {
  readonly #addresses: readonly HostAddress[];
  #current = 0;
  /** The host that writes go to. */
  #written: HostAddress | undefined;

  /** @throws Error when the setting can't be read; the configuration refuses such a setting. */
  constructor(text: string, port: number) {
    const addresses = parseHosts(text, port);
    if (addresses === undefined) throw new Error('dbHost is no list of hosts.');
    this.#addresses = addresses;
  }

  /** Whether the primary has to be searched for. */
  get areSeveral(): boolean {
    return this.#addresses.length > 1;
  }

  get addresses(): readonly HostAddress[] {
    return this.#addresses;
  }

  get current(): HostAddress {
    const address = this.#addresses[this.#current];
    if (address === undefined) throw new Error('There is no host.');
    return address;
  }

  /** For people: `pg1:5432, pg2:5433`. */
  get text(): string {
    return this.#addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
  }

  /** For people: `"pg1", "pg2"`. */
  get names(): string {
    return this.#addresses.map(({ host }) => `"${host}"`).join(', ');
  }

  /** Whether the process still uses this host; undefined stands for the only one. */
  isCurrent(address: HostAddress | undefined): boolean {
    return !this.areSeveral || address === this.current;
  }

  /** Call it when a host does not respond or does not accept writes: the next connection is opened to another one. */
  leave(address: HostAddress | undefined): void {
    if (address === this.current) this.#current = (this.#current + 1) % this.#addresses.length;
  }

  /** Call it for each new connection that writes. @param work is done if writes went to another host before. */
  async afterMove(work: () => Promise<void>): Promise<void> {
    const { current } = this;
    if (this.#written !== undefined && this.#written !== current) await work();
    this.#written = current;
  }

  /** The timeout (ms) for opening one connection, so that all hosts can be tried. */
  timeoutOf(connectionTimeout: number): number {
    if (!this.areSeveral) return connectionTimeout;
    return Math.max(shortestTimeout, Math.floor(connectionTimeout / this.#addresses.length));
  }

  /**
   * Opens a connection to the primary: tries one host after the other, the one in use first, until the patience (ms) ends.
   * @throws the error of the last attempt; at once where another host would not help.
   */
  async search<T>(
    open: (address: HostAddress) => Promise<T>,
    { patience, dialect }: { readonly patience: number; readonly dialect: Dialect },
  ): Promise<T> {
    if (!this.areSeveral) return open(this.current);
    const deadline = performance.now() + patience;
    for (let tried = 1; ; tried += 1) {
      const address = this.current;
      try {
        return await open(address);
      } catch (error) {
        const mayPass = dialect.isUnavailable(error) || dialect.isTransient(error);
        if (isAcquireTimeout(error) || !mayPass) throw error;
        this.leave(address);
        if (performance.now() > deadline && tried >= this.#addresses.length) throw error;
      }
      if (tried % this.#addresses.length === 0) await sleep(pause);
    }
  }
}
