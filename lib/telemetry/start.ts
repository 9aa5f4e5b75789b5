import { randomUUID } from 'node:crypto';
import { served } from './metrics-page.ts';
import { parseHeaders } from './otlp-headers.ts';
import { showProcess } from './process-gauges.ts';
import type { TelemetrySecrets, TelemetrySettings } from './types.ts';

export interface TelemetryOptions {
  readonly settings: TelemetrySettings;
  readonly secrets: TelemetrySecrets;
  /** The number of this process among those of `--workers`; undefined for a single one. */
  readonly worker?: number | undefined;
}

export interface RunningTelemetry {
  /** Sends what was not sent yet, and ends. */
  stop(): Promise<void>;
}

/** Starts what the settings enable; the packages of OpenTelemetry are loaded by nothing else. Call it before the LRS is opened. */
export async function startTelemetry(options: TelemetryOptions): Promise<RunningTelemetry> {
  const { settings, secrets } = options;
  const isScraped = secrets.metricsToken !== undefined || settings.metricsPort !== null;
  if (!isScraped && !settings.enableOtlpMetrics) return { stop: async () => {} };
  const [{ resourceFromAttributes }, { startMetrics }] = await Promise.all([
    import('@opentelemetry/resources'),
    import('./otel/start-metrics.ts'),
  ]);
  const resource = resourceFromAttributes(resourceOf(options));
  const otlp = { endpoint: settings.otlpEndpoint, headers: parseHeaders(secrets.otlpHeaders ?? '') };
  const metrics = await startMetrics({
    resource,
    mostKeyPairs: settings.metricsKeyPairs,
    isScraped,
    otlp: settings.enableOtlpMetrics ? { ...otlp, seconds: settings.otlpInterval } : undefined,
  });
  const hideProcess = showProcess();
  if (isScraped) served.page = { read: () => metrics.scrape(), token: secrets.metricsToken };
  return {
    async stop() {
      served.page = undefined;
      hideProcess();
      await metrics.stop();
    },
  };
}

function resourceOf({ worker }: TelemetryOptions): Record<string, string> {
  return {
    'service.name': 'serverless-lrs',
    'service.instance.id': randomUUID(),
    ...(worker !== undefined && { worker: String(worker) }),
  };
}
