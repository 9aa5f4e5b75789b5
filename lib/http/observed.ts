import { isMeasured, requestBegan, requestEnded } from '../telemetry/measure.ts';
import { areTracesOn, type RequestSpan, type TracedRequest, traceRequest } from '../telemetry/trace.ts';
import { type GatewayEvent, type ObservedEvent, readGatewayEvent } from './gateways/index.ts';
import type { Handler } from './handler.ts';
import type { Observation } from './types.ts';

interface Route {
  readonly method: string;
  /** The path among the routes, e.g. `/attachments/{sha2}`. */
  readonly route: string;
}

/** The handler with measurements and a trace of each request; the same handler while both are off. */
export function observed(of: Route, handler: Handler): Handler {
  if (!isMeasured() && !areTracesOn()) return handler;
  return async (event, context) => {
    const start = performance.now();
    const observation: Observation = {};
    const observedEvent: ObservedEvent = Object.assign(event, { observation });
    const span = traceRequest(event.headers?.traceparent, () => tracedRequest(of, event));
    const answer = () => handler(observedEvent, context);
    requestBegan();
    let status = 500;
    try {
      const result = await (span === undefined ? answer() : span.run(logOf(span, observation), answer));
      status = result.statusCode ?? 200;
      return result;
    } finally {
      const { keyPair } = observation;
      requestEnded({ ...of, status, keyPair, milliseconds: performance.now() - start });
      span?.end(status, attributesOf(observation));
    }
  };
}

function tracedRequest(of: Route, event: GatewayEvent): TracedRequest {
  const { path, headers, isSecure } = readGatewayEvent(event).request;
  return { ...of, path, headers, scheme: isSecure ? 'https' : 'http' };
}

/** The id of the request is known later than its span. */
const logOf = ({ traceId }: RequestSpan, observation: Observation) => ({
  traceId,
  get requestId() {
    return observation.requestId;
  },
});

const attributesOf = ({ requestId = '', keyPair }: Observation) => ({
  'lrs.request_id': requestId,
  ...(keyPair !== undefined && { 'lrs.key_pair': keyPair }),
});
