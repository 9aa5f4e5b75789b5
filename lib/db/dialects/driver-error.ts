/** The driver's own error, where Sequelize has wrapped it. */
export function driverError(error: unknown): unknown {
  if (error instanceof Error && 'original' in error && error.original instanceof Error) {
    return driverError(error.original);
  }
  return error;
}

/** The driver's code, e.g. `SQLITE_BUSY`, `40001`, `ER_LOCK_DEADLOCK`, `ECONNREFUSED`; empty when there is none. */
export function driverCode(error: unknown): string {
  const own = driverError(error);
  return own instanceof Error && 'code' in own && typeof own.code === 'string' ? own.code : '';
}
