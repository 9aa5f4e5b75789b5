import { randomUUID } from 'node:crypto';
import type { LogContext } from '../log-context.ts';

/** The header that carries the id of a request, in requests and in responses. */
export const requestIdHeader = 'X-Request-Id';

/** No spaces, quotes or control characters, so that it fits into every log, header and URL as it is. */
const valid = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** Where the id of a request may come from. */
export interface RequestIdSource {
  /** The value of `X-Request-Id`. */
  readonly header: string | undefined;
  /** The id that the gateway gave the request. */
  readonly gateway: string | undefined;
  /** The id that Lambda gave the call. */
  readonly lambda: string | undefined;
}

/** The id of a request: that of the client if it is valid, else that of the gateway or of Lambda, else a new one. */
export function requestIdOf(source: RequestIdSource): string {
  return givenId(source) ?? randomUUID();
}

/** What the lines of the log tell of a call of a function. Requests of a load balancer have no id of its own. */
export function logContextOf(source: RequestIdSource): LogContext {
  const { gateway, lambda } = source;
  const requestId = givenId(source);
  return {
    ...(lambda !== undefined && { awsRequestId: lambda }),
    ...(requestId !== undefined && { requestId }),
    ...(gateway !== undefined && gateway !== requestId && { gatewayRequestId: gateway }),
  };
}

function givenId({ header, gateway, lambda }: RequestIdSource): string | undefined {
  return header !== undefined && valid.test(header) ? header : (gateway ?? lambda);
}
