import { driverCode } from '../driver-error.ts';

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

/** The server is a standby, or accepts no writes for another reason, and other hosts are to be tried. */
export class NotPrimaryError extends Error {
  constructor() {
    super('The database server accepts no writes.');
    this.name = new.target.name;
  }
}

/** Whether no connection of the pool was free in time. */
export function isAcquireTimeout(error: unknown): boolean {
  // Sequelize's own error, recognised by name because a function does not load Sequelize.
  return error instanceof Error && error.name === 'SequelizeConnectionAcquireTimeoutError';
}

/** Whether the server's address did not respond, no connection was free in time, or no host accepts writes. */
export function isUnreachable(error: unknown): boolean {
  return isAcquireTimeout(error) || error instanceof NotPrimaryError || unreachable.has(driverCode(error));
}

/** Whether the error says that an open connection is lost. */
export function isCut(error: unknown): boolean {
  return cut.has(driverCode(error));
}
