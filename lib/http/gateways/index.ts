import type { ALBResult, APIGatewayProxyResult } from 'aws-lambda';
import type { HttpResponse, Observation } from '../types.ts';
import { type AlbEvent, alb, albMultiValue } from './alb.ts';
import type { RawRequest } from './gateway.ts';
import { type HttpV2Event, type HttpV2Result, httpV2, httpV2Streaming } from './http-v2.ts';
import { type RestV1Event, restV1 } from './rest-v1.ts';

export type GatewayEvent = HttpV2Event | RestV1Event | AlbEvent;
export type GatewayResult = HttpV2Result | APIGatewayProxyResult | ALBResult;

/** An event on its way to a handler that is observed. */
export type ObservedEvent = GatewayEvent & { observation?: Observation };

/** A request together with the way its answer has to be written. */
export interface GatewayCall {
  readonly request: RawRequest;
  readonly write: (response: HttpResponse) => GatewayResult;
}

/** Reads an event of any kind: REST API (v1), HTTP API and function URL (v2), load balancer with and without multi-value headers. */
export function readGatewayEvent(event: GatewayEvent): GatewayCall {
  if (isHttpV2(event)) {
    const kind = event.streams === true ? httpV2Streaming : httpV2;
    return { request: kind.read(event), write: kind.write };
  }
  if (isAlb(event)) {
    const kind = event.multiValueHeaders ? albMultiValue : alb;
    return { request: kind.read(event), write: kind.write };
  }
  return { request: restV1.read(event), write: restV1.write };
}

/** The gateway's id of the request; load balancers give none. */
export function gatewayIdOf({ requestContext }: GatewayEvent): string | undefined {
  return 'requestId' in requestContext ? requestContext.requestId : undefined;
}

function isHttpV2(event: GatewayEvent): event is HttpV2Event {
  return 'version' in event && event.version === '2.0';
}

function isAlb(event: GatewayEvent): event is AlbEvent {
  return 'elb' in event.requestContext;
}
