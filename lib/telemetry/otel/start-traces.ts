import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { traceWith } from '../trace.ts';
import { type OtlpOptions, signalUrl } from './otlp.ts';
import { reported } from './reported.ts';
import { OtelRecorder, type Sampling } from './tracer.ts';

export interface TracesOptions extends OtlpOptions, Sampling {
  readonly resource: Resource;
}

/** Records traces from now on. @returns sends what was not sent yet, and ends. */
export function startTraces({
  resource,
  endpoint,
  headers,
  logger,
  ...sampling
}: TracesOptions): () => Promise<void> {
  const url = signalUrl(endpoint, 'traces');
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers } });
  const provider = new BasicTracerProvider({
    resource,
    // Requests without a `traceparent` are chosen by `OtelRecorder`, before anything is done for them.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor(reported(exporter, { logger, signal: 'traces', url }))],
  });
  traceWith(new OtelRecorder(provider.getTracer('serverless-lrs'), sampling));
  return async () => {
    traceWith(undefined);
    await provider.shutdown();
  };
}
