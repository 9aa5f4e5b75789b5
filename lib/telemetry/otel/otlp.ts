import { type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Logger } from '../../logger.ts';
import { reported } from './reported.ts';

/** Where telemetry is sent by OTLP over HTTP. */
export interface OtlpOptions {
  /** The address of the collector, to which the paths `/v1/metrics` and `/v1/traces` are appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Is told when nothing can be sent. */
  readonly logger: Logger;
}

/** Sends metrics every so many seconds. */
export async function otlpMetricReader(
  options: OtlpOptions & { readonly seconds: number },
): Promise<MetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const { endpoint, headers, logger, seconds } = options;
  const url = signalUrl(endpoint, 'metrics');
  const exporter = new OTLPMetricExporter({ url, headers: { ...headers } });
  return new PeriodicExportingMetricReader({
    exporter: reported(exporter, { logger, signal: 'metrics', url }),
    exportIntervalMillis: seconds * 1000,
    exportTimeoutMillis: Math.min(seconds, 10) * 1000,
  });
}

export function signalUrl(endpoint: string, signal: 'metrics' | 'traces'): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
}
