import { isMeasured, requestBegan, requestEnded, startOfMeasurement } from '../telemetry/measure.ts';
import type { GatewayResult, ObservedEvent } from './gateways/index.ts';
import type { Handler } from './handler.ts';
import type { Observation } from './types.ts';

/**
 * The handler with measurements of each request; the same handler while nothing is measured.
 * @param route its path among the routes, e.g. `/attachments/{sha2}`.
 */
export function observed({ method, route }: { method: string; route: string }, handler: Handler): Handler {
  if (!isMeasured()) return handler;
  return async (event, context) => {
    const start = startOfMeasurement();
    const observation: Observation = {};
    const observedEvent: ObservedEvent = Object.assign(event, { observation });
    requestBegan();
    let status = 500;
    try {
      const result: GatewayResult = await handler(observedEvent, context);
      status = result.statusCode ?? 200;
      return result;
    } finally {
      const { keyPair } = observation;
      requestEnded({ method, route, status, keyPair, milliseconds: performance.now() - start });
    }
  };
}
