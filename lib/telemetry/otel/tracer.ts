import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core';
import { type LogContext, openSpan, withinSpan, withoutContext } from '../../log-context.ts';
import type { RequestSpan, SpanAttributes, TracedRequest, Tracer } from '../trace.ts';

const firstServerError = 500;
const propagator = new W3CTraceContextPropagator();

export interface Sampling {
  /** The part of the requests that is traced where the client does not say (`traceparent`), from 0 to 1. */
  readonly ratio: number;
  /** The most requests that are traced in a second, whoever wants it. */
  readonly perSecond: number;
}

/**
 * Records traces with OpenTelemetry. The open span stands in the context of the log, so that there is one context per request, and
 * none for a request that is not traced.
 */
export class OtelRecorder implements Tracer {
  readonly #tracer: OtelTracer;
  readonly #ratio: number;
  readonly #perSecond: number;
  #second = 0;
  #inSecond = 0;

  constructor(tracer: OtelTracer, { ratio, perSecond }: Sampling) {
    this.#tracer = tracer;
    this.#ratio = ratio;
    this.#perSecond = perSecond;
  }

  request(traceparent: string | undefined, describe: () => TracedRequest): RequestSpan | undefined {
    if (!isTraceparent(traceparent) && Math.random() >= this.#ratio) return undefined;
    if (!this.#hasRoom()) return undefined;
    const request = describe();
    const { method, route, headers } = request;
    const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const options = { kind: SpanKind.SERVER, attributes: attributesOf(request) };
    const span = this.#tracer.startSpan(`${method} ${route}`, options, parent);
    if (!span.isRecording()) return undefined;
    this.#inSecond += 1;
    return requestSpan(span);
  }

  #hasRoom(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    return this.#inSecond < this.#perSecond;
  }

  during(name: string, work: Promise<unknown>, attributes: SpanAttributes): void {
    const parent = openSpan();
    if (parent === undefined) return;
    const span = this.#tracer.startSpan(name, { kind: kindOf(attributes), attributes }, within(parent));
    work.then(
      () => span.end(),
      (error: unknown) => failed(span, error),
    );
  }

  group<T>(name: string, spans: readonly unknown[], work: () => Promise<T>): Promise<T> {
    const [first, ...others] = spans.filter((span): span is Span => span !== undefined);
    if (first === undefined) return this.apart(work);
    const links = others.map((each) => ({ context: each.spanContext() }));
    const attributes = { 'lrs.commit.requests': spans.length };
    const span = this.#tracer.startSpan(name, { links, attributes }, within(first));
    const running = withinSpan(span, { traceId: span.spanContext().traceId }, work);
    running.then(
      () => span.end(),
      (error: unknown) => failed(span, error),
    );
    return running;
  }

  open(): unknown {
    return openSpan();
  }

  apart<T>(work: () => T): T {
    return openSpan() === undefined ? work() : withoutContext(work);
  }
}

/** A header that names no trace is as good as none, for the propagator too. */
const isTraceparent = (text: string | undefined): boolean =>
  text !== undefined && parseTraceParent(text) !== null;

/** Spans are what `withinSpan` was given here. */
const within = (span: unknown): Context => trace.setSpan(ROOT_CONTEXT, span as Span);

const kindOf = (attributes: Attributes): SpanKind =>
  'db.system.name' in attributes ? SpanKind.CLIENT : SpanKind.INTERNAL;

function attributesOf({ method, route, path, scheme }: TracedRequest): Attributes {
  return {
    'http.request.method': method,
    'http.route': route,
    'url.path': path,
    'url.scheme': scheme,
  };
}

function requestSpan(span: Span): RequestSpan {
  const { traceId } = span.spanContext();
  return {
    traceId,
    run: <T>(log: LogContext, work: () => Promise<T>): Promise<T> => withinSpan(span, log, work),
    end(status, attributes) {
      span.setAttributes({ ...attributes, 'http.response.status_code': status });
      if (status >= firstServerError) {
        span.setAttribute('error.type', String(status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** Only the kind of the error: the messages of databases may show values. */
function failed(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
