import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line of the log tells while a call of a function is answered. */
export interface LogContext {
  /** Lambda's id of the call. */
  readonly awsRequestId?: string;
  /** The id of the request, which the response tells the client. */
  readonly requestId?: string;
  /** The gateway's id of the request where the client gave it another: the lines of the gateway's own log have it. */
  readonly gatewayRequestId?: string;
}

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs the work; what it logs tells the context. */
export const withLogContext = <T>(context: LogContext, work: () => T): T => contexts.run(context, work);

/** That of the work in which this is called; empty outside of any. */
export const logContext = (): LogContext => contexts.getStore() ?? {};
