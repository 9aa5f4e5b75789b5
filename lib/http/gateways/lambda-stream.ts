import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'aws-lambda';
import { withLogContext } from '../../log-context.ts';
import type { Handler } from '../handler.ts';
import { bodyBytes } from './gateway.ts';
import type { HttpV2Event, HttpV2Result } from './http-v2.ts';
import { callOf } from './lambda-result.ts';

/** What Lambda's runtime for Node.js offers, as the global `awslambda`, to functions that answer in pieces. */
export interface StreamingRuntime {
  streamifyResponse(
    respond: (event: HttpV2Event, answer: Writable, context: Context) => Promise<void>,
  ): Handler;
  readonly HttpResponseStream: {
    /** The stream of the body; what is given here goes out before its first bytes. */
    from(
      answer: Writable,
      head: { readonly statusCode: number; readonly headers: Readonly<Record<string, unknown>> },
    ): Writable;
  };
}

/**
 * The handler for a function URL that streams (`RESPONSE_STREAM`): no answer is too large for it. Outside of Lambda there is
 * no such runtime, and the handler stays as it is.
 * @param answered called when the last of the answer is on its way.
 */
export function streamed(
  handler: Handler,
  runtime: StreamingRuntime | undefined,
  answered: () => void,
): Handler {
  if (runtime === undefined) return handler;
  const respond = streamInto(handler, runtime);
  return runtime.streamifyResponse((event, answer, context) =>
    withLogContext(callOf(event, context), () => respond(event, answer, context)).finally(answered),
  );
}

function streamInto(handler: Handler, runtime: StreamingRuntime) {
  return async (event: HttpV2Event, answer: Writable, context: Context): Promise<void> => {
    const result = await handler({ ...event, streams: true }, context);
    const { statusCode = 200, headers = {}, body, isBase64Encoded } = result;
    const out = runtime.HttpResponseStream.from(answer, { statusCode, headers });
    const { stream, bytes = bodyBytes(body, isBase64Encoded) }: HttpV2Result = result;
    await pipeline(
      stream === undefined ? Readable.from([bytes]) : Readable.from(stream, { objectMode: false }),
      out,
    );
  };
}
