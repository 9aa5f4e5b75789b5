import type { LogContext } from '../log-context.ts';

/** Attributes of a span, by their names in the semantic conventions of OpenTelemetry. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The beginning of a request, as its span shows it. */
export interface TracedRequest {
  readonly method: string;
  readonly route: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  readonly scheme: 'http' | 'https';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The span of a request that is traced. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs the work as part of the span. */
  run<T>(log: LogContext, work: () => Promise<T>): Promise<T>;
  end(status: number, attributes: SpanAttributes): void;
}

/** Records traces. None of its methods throws anything of its own. */
export interface Tracer {
  /**
   * @param traceparent the header of the client, if it has sent any.
   * @param describe called only for a request that is chosen.
   * @returns undefined for a request that is not traced.
   */
  request(traceparent: string | undefined, describe: () => TracedRequest): RequestSpan | undefined;
  /** Records work that has begun now, as part of the open span. */
  during(name: string, work: Promise<unknown>, attributes: SpanAttributes): void;
  /** Runs work that is done for several spans. */
  group<T>(name: string, spans: readonly unknown[], work: () => Promise<T>): Promise<T>;
  /** The open span, for `group`; undefined when there is none. */
  open(): unknown;
  /** Runs work that belongs to no span, whatever starts it. */
  apart<T>(work: () => T): T;
}

/* While traces are off, which is the default, each of these functions is a comparison. */

let tracer: Tracer | undefined;

/** Records traces with this tracer from now on; none when undefined. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next;
}

export const areTracesOn = (): boolean => tracer !== undefined;

/** @returns undefined for a request that is not traced. */
export function traceRequest(
  traceparent: string | undefined,
  describe: () => TracedRequest,
): RequestSpan | undefined {
  return tracer?.request(traceparent, describe);
}

const none: SpanAttributes = {};

/** Records work that has begun now as part of the span in which this is called. @returns the same promise. */
export function traced<T>(name: string, work: Promise<T>, attributes: SpanAttributes = none): Promise<T> {
  tracer?.during(name, work, attributes);
  return work;
}

/** The span in which this is called, for `tracedGroup`; undefined when there is none. */
export const currentSpan = (): unknown => tracer?.open();

/** Runs work that is done for several requests, as a span of the first of them that is traced, with links to the others. */
export function tracedGroup<T>(name: string, spans: readonly unknown[], work: () => Promise<T>): Promise<T> {
  return tracer === undefined ? work() : tracer.group(name, spans, work);
}

/** Runs what goes on when the work that starts it has ended, such as a loop: it belongs to no request. */
export function untraced<T>(work: () => T): T {
  return tracer === undefined ? work() : tracer.apart(work);
}
