import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { BodyReader } from '../body.ts';
import type { HttpResponse, Piece, ResponseMemory } from '../types.ts';
import {
  bodyBytes,
  bodyText,
  type Gateway,
  lambdaAnswerLimit,
  lowerCaseHeaders,
  type RawRequest,
} from './gateway.ts';

/** What is read of an API Gateway HTTP API event (payload 2.0) or a function URL event; hand-made ones may have less. */
export interface HttpV2Event extends Pick<APIGatewayProxyEventV2, 'rawPath' | 'isBase64Encoded'> {
  readonly rawQueryString?: string | undefined;
  readonly headers?: APIGatewayProxyEventV2['headers'] | undefined;
  readonly version: string;
  readonly body?: string | undefined;
  /** In place of `body`, from the adapter: a body that is read when its sender is known. */
  readonly readBody?: BodyReader | undefined;
  /** From the adapter. */
  readonly responseMemory?: ResponseMemory | undefined;
  /** Said by those who call a handler on behalf of a client and can send it an answer in pieces: the adapter and `streamed`. */
  readonly streams?: boolean;
  /** Said by the adapter and the Fetch API, which also get requests in clear. */
  readonly isSecure?: boolean;
  readonly requestContext: {
    readonly requestId?: string;
    readonly stage: string;
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
}

/** `stream` and `bytes` stand in place of `body`, only in the answer to an event that says `streams`. */
export interface HttpV2Result extends APIGatewayProxyStructuredResultV2 {
  readonly stream?: AsyncIterable<Piece>;
  readonly bytes?: Buffer;
}

export const httpV2: Gateway<HttpV2Event, HttpV2Result> = {
  read(event: HttpV2Event): RawRequest {
    const { http, stage } = event.requestContext;
    return {
      method: http.method,
      path: withoutStage(event.rawPath, stage),
      externalPath: event.rawPath,
      query: event.rawQueryString ?? '',
      headers: lowerCaseHeaders(event.headers ?? {}),
      body: bodyBytes(event.body, event.isBase64Encoded),
      readBody: event.readBody,
      responseMemory: event.responseMemory,
      client: http.sourceIp,
      isSecure: event.isSecure ?? true,
      answerLimit: event.streams === true ? Number.POSITIVE_INFINITY : lambdaAnswerLimit,
    };
  },

  write({ statusCode, headers, body }: HttpResponse): HttpV2Result {
    return { statusCode, headers, ...bodyText(body) };
  },
};

/** For an event that says `streams`: bytes need no base64, which takes more than twice their memory. */
export const httpV2Streaming: Gateway<HttpV2Event, HttpV2Result> = {
  read: httpV2.read,

  write(response: HttpResponse): HttpV2Result {
    const { statusCode, headers, body, stream } = response;
    if (stream !== undefined) return { statusCode, headers, stream };
    return typeof body === 'object' ? { statusCode, headers, bytes: body } : httpV2.write(response);
  },
};

/** A named stage stands in front of the path; the default stage does not. */
function withoutStage(path: string, stage: string): string {
  if (stage === '$default' || !`${path}/`.startsWith(`/${stage}/`)) return path;
  return path.slice(stage.length + 1) || '/';
}
