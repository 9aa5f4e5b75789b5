import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line of the log tells while a call of a function, or a request that is traced, is answered. */
export interface LogContext {
  /** Lambda's id of the call. */
  readonly awsRequestId?: string;
  /** The id of the request, which the response tells the client. */
  readonly requestId?: string | undefined;
  /** The gateway's id of the request where the client gave it another: the lines of the gateway's own log have it. */
  readonly gatewayRequestId?: string;
  /** The id of the trace (W3C Trace Context). */
  readonly traceId?: string;
}

interface Context {
  readonly log: LogContext;
  /** The span that is open; undefined outside of traces. */
  readonly span: unknown;
}

const contexts = new AsyncLocalStorage<Context>();

/** Runs the work; what it logs tells the context. */
export const withLogContext = <T>(log: LogContext, work: () => T): T =>
  contexts.run({ log, span: undefined }, work);

let spans = 0;

/** Runs the work as part of a span; what it logs tells the context. */
export async function withinSpan<T>(span: unknown, log: LogContext, work: () => Promise<T>): Promise<T> {
  spans += 1;
  try {
    return await contexts.run({ log, span }, work);
  } finally {
    spans -= 1;
    // While there is a context, Node.js before version 24 does more for each promise of the process.
    if (spans === 0) contexts.disable();
  }
}

/** Runs the work outside of all contexts. */
export const withoutContext = <T>(work: () => T): T => contexts.run({ log: {}, span: undefined }, work);

/** That of the work in which this is called; empty outside of any. */
export const logContext = (): LogContext => contexts.getStore()?.log ?? {};

/** The span in which this is called; undefined outside of any. */
export const openSpan = (): unknown => contexts.getStore()?.span;
