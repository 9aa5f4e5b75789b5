import type { Handler } from '../../lib/http/handler.ts';
import { type ClientAnswer, type ClientRequest, clientAnswer, gatewayEvents } from './gateway-events.ts';

/** Calls a handler with the HTTP API event of a request. */
export async function callHandler(
  handler: Handler,
  request: Partial<ClientRequest> = {},
): Promise<ClientAnswer> {
  const eventOf = gatewayEvents['HTTP API event (v2)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  return clientAnswer(await handler(eventOf({ method: 'GET', path: '/xapi/statements', ...request })));
}

/** The parsed body of an answer. */
export function jsonOf(answer: ClientAnswer): unknown {
  return JSON.parse(answer.body.toString('utf8'));
}
