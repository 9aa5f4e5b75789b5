import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HostAddress, textOf } from '../../host-address.ts';
import type { WriteTarget } from '../../write-target.ts';
import { type FailureKinds, SearchFailures } from './search-failures.ts';

/** The pause (ms) after all hosts were tried in vain. */
const pause = 100;
/** The shortest timeout (ms) for opening a connection to one of several hosts. */
const shortestTimeout = 250;

const hostForm = /^(?:\[(?<bracketed>[\da-f:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d+))?$/i;
const largestPort = 65_535;

/**
 * Reads the setting `dbHost`: one host or several, separated by commas, each with a port if it differs, e.g.
 * `pg1,pg2:5433,[::1]:5434`.
 * @param port of hosts that have none.
 * @returns undefined when it can't be read.
 */
export function parseHosts(text: string, port: number): readonly HostAddress[] | undefined {
  const addresses = text.split(',').map((part) => parseHost(part, port));
  return addresses.every((address) => typeof address !== 'string') ? addresses : undefined;
}

/** What is wrong with such a list, as in `entry 2 is empty`; undefined if nothing is. It shows nothing of the list. */
export function hostsProblem(text: string): string | undefined {
  for (const [index, part] of text.split(',').entries()) {
    const problem = parseHost(part, 0);
    if (typeof problem === 'string') return `entry ${index + 1} ${problem}`;
  }
  return undefined;
}

/** @returns what is wrong if it can't be read. */
function parseHost(part: string, port: number): HostAddress | string {
  const written = part.trim();
  if (written === '') return 'is empty';
  if (written.startsWith('/') || isIPv6(written)) return { host: written, port };
  const { bracketed, name, port: own } = hostForm.exec(written)?.groups ?? {};
  const host = bracketed ?? name;
  if (host === undefined) return 'is neither a host nor HOST:PORT';
  if (own === undefined) return { host, port };
  const isPort = Number(own) > 0 && Number(own) <= largestPort;
  return isPort ? { host, port: Number(own) } : `has a port that is not from 1 to ${largestPort}`;
}

/**
 * The hosts of a database. Where there are several, they replicate each other, and one of them, the primary, accepts writes;
 * which one may change at any time. All connections of a process belong to the host that it uses at present.
 */
export class DatabaseHosts implements WriteTarget {
  readonly #addresses: readonly HostAddress[];
  #current = 0;
  /** The host that writes go to. */
  #written: HostAddress | undefined;
  /** Why no host could be used in the latest search; undefined when one could. */
  #failures: SearchFailures | undefined;
  /** The host that each error of a connection concerns. */
  readonly #concerned = new WeakMap<object, HostAddress>();
  readonly #listeners: ((host: string) => void)[] = [];
  /** What names the hosts, for advice; undefined: `dbHost` with `dbPort`. */
  readonly setting: string | undefined;

  /** @throws Error when the setting can't be read; the configuration refuses such a setting. */
  constructor(text: string, port: number, setting?: string) {
    const addresses = parseHosts(text, port);
    if (addresses === undefined) throw new Error('dbHost is no list of hosts.');
    this.#addresses = addresses;
    this.setting = setting;
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
    return this.#addresses.map(textOf).join(', ');
  }

  /** For people: `"pg1", "pg2"`. */
  get names(): string {
    return this.#addresses.map(({ host }) => `"${host}"`).join(', ');
  }

  get host(): string | undefined {
    return this.#written === undefined ? undefined : textOf(this.#written);
  }

  includes(host: string): boolean {
    return this.#addresses.some((address) => textOf(address) === host);
  }

  follow(callback: (host: string) => void): void {
    if (!this.areSeveral) return;
    this.#listeners.push(callback);
    if (this.host !== undefined) callback(this.host);
  }

  /** Whether the process still uses this host; undefined stands for the only one. */
  isCurrent(address: HostAddress | undefined): boolean {
    return !this.areSeveral || address === this.current;
  }

  /** Call it when a host does not respond or does not accept writes: the next connection is opened to another one. */
  leave(address: HostAddress | undefined): void {
    if (address === this.current) this.#current = (this.#current + 1) % this.#addresses.length;
  }

  /**
   * Call it for each new connection that writes to the host.
   * @param work is done if writes went to another host before.
   */
  async afterMove(address: HostAddress, work: () => Promise<void>): Promise<void> {
    if (this.#written === address) return;
    if (this.#written !== undefined) await work();
    this.#written = address;
    for (const listener of this.#listeners) listener(textOf(address));
  }

  /** Notes that the error is of a connection to the host, for `placeOf`. */
  noteError(error: unknown, address: HostAddress | undefined): void {
    if (error instanceof Error && address !== undefined) this.#concerned.set(error, address);
  }

  /** For people: the host that the error concerns, or all hosts when it concerns none in particular. */
  placeOf(error: unknown): string {
    const address = error instanceof Error ? this.#concerned.get(error) : undefined;
    return address === undefined ? this.text : textOf(address);
  }

  /** Why no host can be used, as far as the latest search knows; undefined when it has found one. */
  get failure(): Error | undefined {
    return this.#failures?.outcome;
  }

  /** The timeout (ms) for opening one connection, so that all hosts can be tried. */
  timeoutOf(connectionTimeout: number): number {
    if (!this.areSeveral) return connectionTimeout;
    return Math.max(shortestTimeout, Math.floor(connectionTimeout / this.#addresses.length));
  }

  /**
   * Opens a connection to the primary: tries one host after the other, the one in use first, until the patience (ms) ends.
   * @throws at once where another host would not help, or where waiting would not (`SearchFailures.areFinal`); otherwise the
   *   error that tells most (`SearchFailures.outcome`).
   */
  async search<T>(
    open: (address: HostAddress) => Promise<T>,
    { patience, dialect }: { readonly patience: number; readonly dialect: FailureKinds },
  ): Promise<T> {
    if (!this.areSeveral) return open(this.current);
    const deadline = performance.now() + patience;
    const failures = new SearchFailures(this.#addresses.length, dialect);
    for (;;) {
      for (const address of this.#inOrder()) {
        try {
          const opened = await open(address);
          this.#failures = undefined;
          return opened;
        } catch (error) {
          this.noteError(error, address);
          if (!concernsHost(error, dialect)) throw error;
          this.leave(address);
          failures.note(address, error);
        }
        if (!failures.areOfAll) continue;
        this.#failures = failures;
        if (failures.areFinal || performance.now() > deadline) throw failures.outcome;
      }
      await sleep(pause);
    }
  }

  /** All hosts, the one in use first. Other searches may change which one that is, and none is left out for that. */
  #inOrder(): readonly HostAddress[] {
    return [...this.#addresses.slice(this.#current), ...this.#addresses.slice(0, this.#current)];
  }
}

/** Whether another host may have no such error. */
const concernsHost = (error: unknown, dialect: FailureKinds): error is Error =>
  error instanceof Error && (dialect.isUnavailable(error) || dialect.isTransient(error));
