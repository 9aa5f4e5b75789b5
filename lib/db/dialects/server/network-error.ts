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

/** Whether the server's address did not respond, or no connection was free in time. */
export function isUnreachable(error: unknown): boolean {
  // Sequelize's own error, recognised by name because a function does not load Sequelize.
  const isLate = error instanceof Error && error.name === 'SequelizeConnectionAcquireTimeoutError';
  return isLate || unreachable.has(driverCode(error));
}

/** Whether the error says that an open connection is lost. */
export function isCut(error: unknown): boolean {
  return cut.has(driverCode(error));
}
