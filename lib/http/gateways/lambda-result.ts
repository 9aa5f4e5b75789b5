import type { Context } from 'aws-lambda';
import { type LogContext, withLogContext } from '../../log-context.ts';
import type { Handler } from '../handler.ts';
import { logContextOf, requestIdHeader } from '../request-id.ts';
import { type GatewayEvent, type GatewayResult, gatewayIdOf } from './index.ts';

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

/** What the lines of the log tell of a call. */
export function callOf(event: GatewayEvent, context?: Context): LogContext {
  return logContextOf({
    header: headerOf(event, requestIdHeader.toLowerCase()),
    gateway: gatewayIdOf(event),
    lambda: context?.awsRequestId,
  });
}

/** @param wanted in lower case; gateways write names as clients do. */
function headerOf(event: GatewayEvent, wanted: string): string | undefined {
  const { headers, multiValueHeaders }: HeadersOfEvent = event;
  for (const [name, value] of Object.entries(multiValueHeaders ?? headers ?? {})) {
    if (name.toLowerCase() === wanted) return Array.isArray(value) ? value.join(', ') : value?.toString();
  }
  return undefined;
}

interface HeadersOfEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
}

function fitting(result: GatewayResult): GatewayResult {
  const { body = '', isBase64Encoded } = result;
  if (isBase64Encoded === true || body.length <= longestText) return result;
  return { ...result, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
