import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpResponse } from '../types.ts';
import { bodyBytes, bodyText, type Gateway, lowerCaseHeaders, type RawRequest } from './gateway.ts';

/** What is read of an API Gateway HTTP API event (payload 2.0) or a function URL event. */
export interface HttpV2Event
  extends Pick<APIGatewayProxyEventV2, 'rawPath' | 'rawQueryString' | 'headers' | 'isBase64Encoded'> {
  readonly version: string;
  readonly body?: string | undefined;
  readonly requestContext: {
    readonly stage: string;
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
}

export const httpV2: Gateway<HttpV2Event, APIGatewayProxyStructuredResultV2> = {
  read(event: HttpV2Event): RawRequest {
    const { http, stage } = event.requestContext;
    return {
      method: http.method,
      path: withoutStage(event.rawPath, stage),
      externalPath: event.rawPath,
      query: event.rawQueryString,
      headers: lowerCaseHeaders(event.headers),
      body: bodyBytes(event.body, event.isBase64Encoded),
      client: http.sourceIp,
    };
  },

  write(response: HttpResponse): APIGatewayProxyStructuredResultV2 {
    return { statusCode: response.statusCode, headers: response.headers, ...bodyText(response.body) };
  },
};

/** A named stage stands in front of the path; the default stage does not. */
function withoutStage(path: string, stage: string): string {
  return stage !== '$default' && path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : path;
}
