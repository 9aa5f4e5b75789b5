import type { Config } from '../../config/types.ts';
import type { Logger } from '../logger.ts';
import { createLimits } from './limits.ts';
import type { LambdaHandler } from './listener.ts';
import { type RunningServer, startServer } from './server.ts';

export interface ServeMetricsOptions {
  readonly settings: Pick<Config['telemetry'], 'metricsPort' | 'metricsHost'>;
  readonly webserver: Config['webserver'];
  /** Answers every request. */
  readonly handler: LambdaHandler;
  readonly logger: Logger;
}

/**
 * Serves metrics on a port of their own, where `metricsPort` is set, with limits of its own: they can be read while the other
 * ports have as many connections as they may.
 */
export async function serveMetrics({
  settings: { metricsHost: host, metricsPort: port },
  webserver,
  handler,
  logger,
}: ServeMetricsOptions): Promise<RunningServer | undefined> {
  if (port === null) return undefined;
  const options = {
    route: () => handler,
    limits: createLimits(webserver),
    onFailure: (error: unknown) => logger.error({ err: error }, 'metrics could not be shown'),
  };
  try {
    return await startServer({ host, port }, options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `telemetry.metricsHost (LRS_METRICS_HOST) and telemetry.metricsPort (LRS_METRICS_PORT) can't be listened on: ${reason}.`,
      { cause },
    );
  }
}
