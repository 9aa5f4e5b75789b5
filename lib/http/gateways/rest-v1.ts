import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { HttpResponse } from '../types.ts';
import {
  bodyBytes,
  bodyText,
  type Gateway,
  joinHeaders,
  lambdaAnswerLimit,
  lowerCaseHeaders,
  type RawRequest,
} from './gateway.ts';

/** What is read of an API Gateway REST API event (payload 1.0). */
export interface RestV1Event
  extends Pick<
    APIGatewayProxyEvent,
    | 'httpMethod'
    | 'path'
    | 'headers'
    | 'multiValueHeaders'
    | 'queryStringParameters'
    | 'multiValueQueryStringParameters'
    | 'body'
    | 'isBase64Encoded'
  > {
  readonly requestContext: {
    readonly requestId?: string;
    /** The path with the stage in front. */
    readonly path?: string;
    readonly identity?: { readonly sourceIp: string };
  };
}

export const restV1: Gateway<RestV1Event, APIGatewayProxyResult> = {
  read(event: RestV1Event): RawRequest {
    return {
      method: event.httpMethod,
      path: event.path,
      externalPath: event.requestContext.path ?? event.path,
      query: decodedPairs(event),
      headers: event.multiValueHeaders
        ? joinHeaders(event.multiValueHeaders)
        : lowerCaseHeaders(event.headers ?? {}),
      body: bodyBytes(event.body, event.isBase64Encoded),
      client: event.requestContext.identity?.sourceIp,
      isSecure: true,
      answerLimit: lambdaAnswerLimit,
    };
  },

  write(response: HttpResponse): APIGatewayProxyResult {
    return { statusCode: response.statusCode, headers: response.headers, ...bodyText(response.body) };
  },
};

/** This gateway percent-decodes the query by itself. */
function decodedPairs(event: RestV1Event): [string, string][] {
  const multiple = event.multiValueQueryStringParameters;
  if (multiple) {
    return Object.entries(multiple).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    );
  }
  return Object.entries(event.queryStringParameters ?? {}).map(([name, value]) => [name, value ?? '']);
}
