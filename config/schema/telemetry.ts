import type Joi from 'joi';
import type { TelemetrySecrets, TelemetrySettings } from '../../lib/telemetry/types.ts';
import { address, flag, integer, number, port, secret, text } from './kinds.ts';

/** Metrics and traces. */
export const telemetry = {
  metricsToken: secret(
    'Serve metrics in the format of Prometheus at `/metrics`, for requests with `Authorization: Bearer` and this token.',
  )
    .min(16)
    .meta({ kind: 'text of at least 16 characters' }),
  metricsPort: port(
    'Serve `/metrics` on a port of its own, by HTTP and not beside the other routes; without `metricsToken` to everybody who reaches it. 0: the system picks one.',
  ).default(null),
  metricsHost: text('Address to bind `metricsPort` to.').default('127.0.0.1'),
  metricsKeyPairs: integer(
    'Key pairs that have a label of their own in metrics: those that came first since the start. The others are `other`.',
  )
    .min(0)
    .max(1000)
    .default(50),
  enableOtlpMetrics: flag('Send metrics to `otlpEndpoint`.').default(false),
  enableTraces: flag('Send traces of requests to `otlpEndpoint`.').default(false),
  traceRatio: number(
    'Part of the requests that is traced, where the client does not say with `traceparent` whether its trace is recorded.',
    { kind: 'a number from 0 to 1' },
  )
    .min(0)
    .max(1)
    .default(0.05),
  tracesPerSecond: integer(
    'Most requests of a process that are traced in a second, those of clients that record their traces included.',
  )
    .min(1)
    .max(10_000)
    .default(5),
  otlpEndpoint: address(
    'Address of a collector that takes OTLP by HTTP; `/v1/metrics` and `/v1/traces` are appended. A login belongs in `otlpHeaders`.',
  ).default('http://localhost:4318'),
  otlpHeaders: secret(
    'Headers of requests to `otlpEndpoint`, e.g. for a token: `name=value,name=value`, values percent-encoded.',
  ),
  otlpInterval: integer('Seconds between two transmissions of metrics.').min(1).max(3600).default(60),
  enableServerTiming: flag(
    'Tell clients that are authenticated in `Server-Timing` how long their request took: the authentication, the arrival of the body, the work.',
  ).default(false),
  enableEmf: flag(
    'On AWS Lambda: log a line for each request, whatever `logLevel` is, from which CloudWatch makes metrics (Embedded Metric Format).',
  ).default(false),
  emfNamespace: text('The namespace of these metrics in CloudWatch.', {
    kind: 'up to 255 of the characters A–Z a–z 0–9 . - _ / #',
  })
    .pattern(/^[A-Za-z0-9._/#-]{1,255}$/)
    .default('serverless-lrs'),
} satisfies Readonly<Record<keyof TelemetrySettings | keyof TelemetrySecrets, Joi.Schema>>;
