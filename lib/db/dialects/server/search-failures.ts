import { type HostAddress, textOf } from '../../host-address.ts';
import type { Dialect } from '../dialect.ts';
import { driverCode } from '../driver-error.ts';
import {
  isConnectTimeout,
  isSilence,
  NoMajorityError,
  NotPrimaryError,
  SilentHostsError,
} from './network-error.ts';

/** What an error of a connection says (`ServerDialect`). */
export interface FailureKinds extends Pick<Dialect, 'isUnavailable' | 'isTransient'> {
  isMissing(error: unknown): boolean;
  isReadOnly(error: unknown): boolean;
  lacksMajority(error: unknown): boolean;
}

/** Why a host can't be used. */
type Reason = 'accepts no writes' | 'no majority' | 'login refused' | 'silent' | 'another';

interface Failure {
  readonly error: Error;
  readonly reason: Reason;
}

/** Why a search could not use one host after the other: the latest failure of each. */
export class SearchFailures {
  readonly #hosts: number;
  readonly #dialect: FailureKinds;
  readonly #failures = new Map<HostAddress, Failure>();

  /** @param hosts how many there are. */
  constructor(hosts: number, dialect: FailureKinds) {
    this.#hosts = hosts;
    this.#dialect = dialect;
  }

  note(address: HostAddress, error: Error): void {
    this.#failures.set(address, { error, reason: reasonOf(error, this.#dialect) });
  }

  /** Whether each host was tried. */
  get areOfAll(): boolean {
    return this.#failures.size === this.#hosts;
  }

  /**
   * Whether waiting would not help: each host refuses the login, or some of them have no majority of their cluster, and no
   * other one answers. A node that is in a majority would have been found.
   */
  get areFinal(): boolean {
    const isLost = this.#errorOf('no majority') !== undefined;
    return [...this.#failures.values()].every(
      ({ reason }) =>
        reason === 'login refused' || (isLost && (reason === 'no majority' || reason === 'silent')),
    );
  }

  /** The error that tells most: that a host answers and can't be used, else that it is silent, else that it refuses the login. */
  get outcome(): Error {
    const standby = this.#errorOf('accepts no writes');
    if (standby instanceof NotPrimaryError) return standby;
    if (standby !== undefined) return new NotPrimaryError({ cause: standby });
    const minority = this.#errorOf('no majority');
    if (minority !== undefined) return new NoMajorityError(this.#tried, { cause: minority });
    const silence = this.#errorOf('silent');
    const refusal = this.#errorOf('login refused');
    const told = this.#errorOf('another') ?? silence ?? refusal;
    if (told === undefined) throw new Error('No host was tried.');
    const noneAnswers = told === silence && refusal === undefined;
    return noneAnswers ? new SilentHostsError(this.#tried, { cause: silence }) : told;
  }

  #errorOf(reason: Reason): Error | undefined {
    return [...this.#failures.values()].findLast((failure) => failure.reason === reason)?.error;
  }

  /** Each host with what was noticed: `db1:3306 (no majority), db2:3306 (ECONNREFUSED), db3:3306 (timeout)`. */
  get #tried(): string {
    return [...this.#failures]
      .map(([address, failure]) => `${textOf(address)} (${noticed(failure)})`)
      .join(', ');
  }
}

function reasonOf(error: Error, dialect: FailureKinds): Reason {
  if (dialect.lacksMajority(error)) return 'no majority';
  if (error instanceof NotPrimaryError || dialect.isReadOnly(error)) return 'accepts no writes';
  if (dialect.isMissing(error)) return 'login refused';
  return isSilence(error) ? 'silent' : 'another';
}

function noticed({ error, reason }: Failure): string {
  if (reason !== 'silent') return reason;
  return isConnectTimeout(error) ? 'timeout' : driverCode(error);
}
