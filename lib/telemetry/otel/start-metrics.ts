import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import {
  MeterProvider,
  type MetricData,
  type MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { measureInto } from '../measure.ts';
import { gauges, type Metric, prometheusName, recorded } from '../metrics.ts';
import { createInstruments } from './metric-instruments.ts';
import { type OtlpOptions, otlpMetricReader } from './otlp.ts';

export interface MetricsOptions {
  readonly resource: Resource;
  readonly mostKeyPairs: number;
  /** Whether metrics are asked for in the format of Prometheus. */
  readonly isScraped: boolean;
  /** Where they are sent; undefined: nowhere. */
  readonly otlp: (OtlpOptions & { readonly seconds: number }) | undefined;
}

export interface RunningMetrics {
  /** All metrics in the text format of Prometheus. */
  scrape(): Promise<string>;
  stop(): Promise<void>;
}

/** Measures this process from now on. */
export async function startMetrics({
  resource,
  mostKeyPairs,
  isScraped,
  otlp,
}: MetricsOptions): Promise<RunningMetrics> {
  const scraped = new PrometheusExporter({ preventServerStart: true });
  const readers: MetricReader[] = [
    ...(isScraped ? [scraped] : []),
    ...(otlp === undefined ? [] : [await otlpMetricReader(otlp)]),
  ];
  const provider = new MeterProvider({ resource, readers });
  measureInto(createInstruments(provider.getMeter('serverless-lrs'), mostKeyPairs));
  const serializer = new PrometheusSerializer(undefined, false, /^worker$/, true, true);
  return {
    async scrape() {
      const { resourceMetrics } = await scraped.collect();
      return serializer.serialize(withPrometheusNames(resourceMetrics));
    },
    async stop() {
      measureInto(undefined);
      await provider.shutdown();
    },
  };
}

const metrics: readonly Metric[] = [...Object.values(recorded), ...Object.values(gauges)];
const names: ReadonlyMap<string, string> = new Map(
  metrics.map((metric) => [metric.name, prometheusName(metric)]),
);

/** The serializer of OpenTelemetry does not add units to names. */
function withPrometheusNames(collected: ResourceMetrics): ResourceMetrics {
  const renamed = (metric: MetricData): MetricData => {
    const { name } = metric.descriptor;
    return { ...metric, descriptor: { ...metric.descriptor, name: names.get(name) ?? name } };
  };
  return {
    ...collected,
    scopeMetrics: collected.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(renamed) })),
  };
}
