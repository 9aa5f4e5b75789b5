import { driverCode, driverError } from '../driver-error.ts';

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);
const cut = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** The database server has not responded in time, so this process closes the connection. */
export class ResponseTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database server did not answer in time.');
    this.name = new.target.name;
  }
}

/** The server has committed, but stopped waiting for a standby to confirm it; this process closes the connection. */
export class UnconfirmedCommitError extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('No standby has confirmed the commit.');
    this.name = new.target.name;
  }
}

/** None of several hosts can be used, or this one of them can't. */
export abstract class NoHostError extends Error {}

/** The server is a standby, or accepts no writes for another reason, and other hosts are to be tried. */
export class NotPrimaryError extends NoHostError {
  constructor(options?: ErrorOptions) {
    super('The database server accepts no writes.', options);
    this.name = new.target.name;
  }
}

/** What each of several hosts has shown when it was tried, so that people can mend it. */
abstract class TriedHostsError extends NoHostError {
  /** Each host with what was noticed, for people: `pg1:5432 (ECONNREFUSED), pg2:5432 (timeout)`. */
  readonly tried: string;

  constructor(message: string, tried: string, options: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.tried = tried;
  }
}

/** None of several hosts answers. */
export class SilentHostsError extends TriedHostsError {
  constructor(tried: string, options: ErrorOptions) {
    super('None of the hosts of the database answers.', tried, options);
  }
}

/** No host that answers has a majority of its cluster. */
export class NoMajorityError extends TriedHostsError {
  constructor(tried: string, options: ErrorOptions) {
    super('None of the hosts of the database has a majority of its cluster.', tried, options);
  }
}

/** Whether no connection of the pool was free in time. */
export function isAcquireTimeout(error: unknown): boolean {
  // Sequelize's own error, recognised by name because a function does not load Sequelize.
  return error instanceof Error && error.name === 'SequelizeConnectionAcquireTimeoutError';
}

/** Whether the server's address did not respond, no connection was free in time, or no host can be used. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof NoHostError || isAcquireTimeout(error) || unreachable.has(driverCode(error));
}

/** Whether a connection could not be opened because nothing answers at the address. */
export function isSilence(error: unknown): boolean {
  return unreachable.has(driverCode(error)) || isConnectTimeout(error);
}

/** Whether a driver has given up opening a connection. */
export function isConnectTimeout(error: unknown): boolean {
  const own = driverError(error);
  const message = own instanceof Error ? own.message : '';
  return driverCode(error) === 'ER_CONNECTION_TIMEOUT' || message === 'timeout expired';
}

/** Whether the error says that an open connection is lost. */
export function isCut(error: unknown): boolean {
  return cut.has(driverCode(error));
}
