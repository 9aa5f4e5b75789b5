import type { Handler } from '../door.ts';
import type { GatewayResult } from './index.ts';

/**
 * UTF-16 units. Lambda takes a result of 6 MB as JSON, in which each quote and backslash of a text counts twice and other
 * characters up to three bytes: a text of this length always fits.
 */
const longestText = 2_000_000;

/** The handler for Lambda: a longer text leaves it as base64, which grows by a third whatever it holds. */
export function forLambda(handler: Handler): Handler {
  return async (event, context) => fitting(await handler(event, context));
}

function fitting(result: GatewayResult): GatewayResult {
  const { body = '', isBase64Encoded } = result;
  if (isBase64Encoded === true || body.length <= longestText) return result;
  return { ...result, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
