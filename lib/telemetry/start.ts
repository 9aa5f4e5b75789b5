import { randomUUID } from 'node:crypto';
import type { Resource } from '@opentelemetry/resources';
import type { Logger } from '../logger.ts';
import { served } from './metrics-page.ts';
import type { OtlpOptions } from './otel/otlp.ts';
import { parseHeaders } from './otlp-headers.ts';
import { showProcess } from './process-gauges.ts';
import type { TelemetrySecrets, TelemetrySettings } from './types.ts';

export interface TelemetryOptions {
  readonly settings: TelemetrySettings;
  readonly secrets: TelemetrySecrets;
  readonly logger: Logger;
  /** The number of this process among those of `--workers`; undefined for a single one. */
  readonly worker?: number | undefined;
}

export interface RunningTelemetry {
  /** Sends what was not sent yet, and ends. */
  stop(): Promise<void>;
}

/**
 * Starts what the settings enable; the packages of OpenTelemetry are loaded by nothing else. Call it before the LRS is opened.
 * @throws Error when a setting can't be used.
 */
export async function startTelemetry({
  settings,
  secrets,
  logger,
  worker,
}: TelemetryOptions): Promise<RunningTelemetry> {
  const isScraped = secrets.metricsToken !== undefined || settings.metricsPort !== null;
  const { enableOtlpMetrics, enableTraces } = settings;
  if (!isScraped && !enableOtlpMetrics && !enableTraces) return { stop: async () => {} };
  const otlp = { endpoint: settings.otlpEndpoint, headers: parseHeaders(secrets.otlpHeaders ?? ''), logger };
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes(resourceOf(worker));
  const stops: (() => Promise<void>)[] = [];
  if (isScraped || enableOtlpMetrics)
    stops.push(await startMeasuring({ settings, token: secrets.metricsToken, isScraped, resource, otlp }));
  if (enableTraces) {
    const { startTraces } = await import('./otel/start-traces.ts');
    stops.push(
      startTraces({ ...otlp, resource, ratio: settings.traceRatio, perSecond: settings.tracesPerSecond }),
    );
  }
  return {
    stop: async () => void (await Promise.allSettled(stops.map((stop) => stop()))),
  };
}

interface MeasuringOptions {
  readonly settings: TelemetrySettings;
  readonly token: string | undefined;
  readonly isScraped: boolean;
  readonly resource: Resource;
  readonly otlp: OtlpOptions;
}

async function startMeasuring(options: MeasuringOptions): Promise<() => Promise<void>> {
  const { settings, token, isScraped, resource, otlp } = options;
  const { startMetrics } = await import('./otel/start-metrics.ts');
  const metrics = await startMetrics({
    resource,
    mostKeyPairs: settings.metricsKeyPairs,
    isScraped,
    otlp: settings.enableOtlpMetrics ? { ...otlp, seconds: settings.otlpInterval } : undefined,
  });
  const hideProcess = showProcess();
  if (isScraped) served.page = { read: () => metrics.scrape(), token };
  return async () => {
    served.page = undefined;
    hideProcess();
    await metrics.stop();
  };
}

const resourceOf = (worker: number | undefined): Record<string, string> => ({
  'service.name': 'serverless-lrs',
  'service.instance.id': randomUUID(),
  ...(worker !== undefined && { worker: String(worker) }),
});
