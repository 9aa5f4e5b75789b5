import type { ALBEvent, ALBResult } from 'aws-lambda';
import { plainAddress } from '../../plain-address.ts';
import type { HttpResponse } from '../types.ts';
import {
  bodyBytes,
  bodyText,
  type Gateway,
  joinHeaders,
  lowerCaseHeaders,
  type RawRequest,
} from './gateway.ts';

/** What is read of an Application Load Balancer event. */
export interface AlbEvent
  extends Pick<
    ALBEvent,
    | 'httpMethod'
    | 'path'
    | 'headers'
    | 'multiValueHeaders'
    | 'queryStringParameters'
    | 'multiValueQueryStringParameters'
    | 'body'
    | 'isBase64Encoded'
  > {
  readonly requestContext: { readonly elb: object };
}

/** A load balancer gives back 1 MB at most, in which the quotes of a text take two bytes each. */
const answerLimit = 500_000;

/** A target group has multi-value headers switched on or off, and the answer has to be of the same form. */
export const alb: Gateway<AlbEvent, ALBResult> = {
  read: readAlb,
  write(response: HttpResponse): ALBResult {
    return { statusCode: response.statusCode, headers: response.headers, ...bodyText(response.body) };
  },
};

export const albMultiValue: Gateway<AlbEvent, ALBResult> = {
  read: readAlb,
  write(response: HttpResponse): ALBResult {
    const headers = Object.entries(response.headers).map(([name, value]) => [name, [value]]);
    return {
      statusCode: response.statusCode,
      multiValueHeaders: Object.fromEntries(headers),
      ...bodyText(response.body),
    };
  },
};

function readAlb(event: AlbEvent): RawRequest {
  const headers = event.multiValueHeaders
    ? joinHeaders(event.multiValueHeaders)
    : lowerCaseHeaders(event.headers ?? {});
  return {
    method: event.httpMethod,
    path: event.path,
    externalPath: event.path,
    query: rawQuery(event),
    headers,
    body: bodyBytes(event.body, event.isBase64Encoded),
    // With a port where the load balancer preserves those of clients.
    client: plainAddress(headers['x-forwarded-for']?.split(',').at(-1)?.trim() ?? ''),
    isSecure: headers['x-forwarded-proto'] === 'https',
    answerLimit,
  };
}

/** Names and values arrive as they were sent, so the query string can be put together again. */
function rawQuery(event: AlbEvent): string {
  const multiple = event.multiValueQueryStringParameters;
  const pairs = multiple
    ? Object.entries(multiple).flatMap(([name, values]) => (values ?? []).map((value) => `${name}=${value}`))
    : Object.entries(event.queryStringParameters ?? {}).map(([name, value]) => `${name}=${value ?? ''}`);
  return pairs.join('&');
}
