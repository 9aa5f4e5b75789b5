import type { DriverConnection, ServerEngine } from './engine.ts';

/**
 * Waits for work on a connection, which is abandoned when the work does not end in time, so that the work fails.
 * @param milliseconds the limit.
 */
export async function limited<T>(
  work: Promise<T>,
  engine: Pick<ServerEngine, 'abandon'>,
  connection: DriverConnection,
  milliseconds: number,
): Promise<T> {
  const timer = setTimeout(() => engine.abandon(connection), milliseconds);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
