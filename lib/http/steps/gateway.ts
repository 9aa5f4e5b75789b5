import type { MiddlewareObj, Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import { splitStorePath } from '../../stores/address.ts';
import { decodePath, decodeQuery } from '../encoding.ts';
import type { RawRequest } from '../gateways/gateway.ts';
import {
  type GatewayEvent,
  type GatewayResult,
  gatewayIdOf,
  type ObservedEvent,
  readGatewayEvent,
} from '../gateways/index.ts';
import { requestIdHeader, requestIdOf } from '../request-id.ts';
import type { HttpRequest, HttpResponse } from '../types.ts';

/** From here inwards the event is an `HttpRequest` and the answer an `HttpResponse`; outside they are the gateway's. */
type Outside = GatewayEvent | HttpRequest;
type Inside = GatewayResult | HttpResponse;
type Write = (response: HttpResponse) => GatewayResult;
type GatewayRequest = Request<Outside, Inside, Error, Context, { write?: Write }>;

const headerName = requestIdHeader.toLowerCase();

/**
 * The outermost step: the event of any gateway in, the result of the same gateway out. An answer to HEAD loses its body and
 * says how long it would have been (xAPI 1.0.3 Communication 1.1).
 */
export function gateway(): MiddlewareObj<Outside, Inside, Error, Context, { write?: Write }> {
  const gatewayBefore = (request: GatewayRequest): void => {
    const event = request.event as ObservedEvent;
    const { request: raw, write } = readGatewayEvent(event);
    request.internal.write = write;
    const requestId = requestIdOf({
      header: raw.headers[headerName],
      gateway: gatewayIdOf(event),
      lambda: request.context?.awsRequestId,
    });
    if (event.observation !== undefined) event.observation.requestId = requestId;
    const call = withoutQuery(raw, { requestId, observation: event.observation });
    request.event = call;
    call.path = decodePath(call.path);
    call.query = decodeQuery(raw.query);
  };
  const gatewayAfter = (request: GatewayRequest): void => {
    const response = request.response as HttpResponse;
    const { method, requestId } = request.event as HttpRequest;
    response.headers[requestIdHeader] = requestId;
    const complete = method === 'HEAD' ? withoutBody(response) : response;
    request.response = request.internal.write?.(complete) ?? complete;
  };
  return { before: gatewayBefore, after: gatewayAfter, onError: gatewayAfter };
}

/** Complete enough for the outer steps when the rest can't be decoded. */
function withoutQuery(
  raw: RawRequest,
  { requestId, observation }: Pick<HttpRequest, 'requestId' | 'observation'>,
): HttpRequest {
  const { store, path } = splitStorePath(raw.path);
  return {
    requestId,
    observation,
    method: raw.method,
    path,
    store,
    externalPath: raw.externalPath,
    query: new URLSearchParams(),
    headers: raw.headers,
    body: raw.body,
    readBody: raw.readBody,
    responseMemory: raw.responseMemory,
    client: raw.client,
    isSecure: raw.isSecure,
    answerLimit: raw.answerLimit,
  };
}

function withoutBody({ body, ...response }: HttpResponse): HttpResponse {
  if (body === undefined) return response;
  const headers = { ...response.headers, 'Content-Length': String(Buffer.byteLength(body)) };
  return { ...response, headers };
}
