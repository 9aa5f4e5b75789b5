import type { Context } from 'aws-lambda';
import { type LogContext, withLogContext } from '../../log-context.ts';
import type { Handler } from '../handler.ts';
import type { GatewayEvent, GatewayResult } from './index.ts';

/**
 * UTF-16 units. Lambda takes a result of 6 MB as JSON, in which each quote and backslash of a text counts twice and other
 * characters up to three bytes: a text of this length always fits.
 */
const longestText = 2_000_000;

/**
 * The handler for Lambda: a longer text leaves it as base64, which grows by a third whatever it holds.
 * @param answered called when the answer is complete, before Lambda gets it.
 */
export function forLambda(handler: Handler, answered: () => void): Handler {
  return async (event, context) => {
    try {
      return fitting(await withLogContext(callOf(event, context), () => handler(event, context)));
    } finally {
      answered();
    }
  };
}

/** What the lines of the log tell of a call. Requests of a load balancer have no id. */
export function callOf(event: GatewayEvent, context?: Context): LogContext {
  const requestId = (event.requestContext as { readonly requestId?: string } | undefined)?.requestId;
  const awsRequestId = context?.awsRequestId;
  return { ...(awsRequestId && { awsRequestId }), ...(requestId && { requestId }) };
}

function fitting(result: GatewayResult): GatewayResult {
  const { body = '', isBase64Encoded } = result;
  if (isBase64Encoded === true || body.length <= longestText) return result;
  return { ...result, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
