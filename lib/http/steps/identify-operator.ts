import type { Request } from '@middy/core';
import { LrsError, UnauthenticatedError } from '../../errors.ts';
import { bearerToken } from '../bearer.ts';
import type { Step, XapiCall } from '../call.ts';
import { noteXapiCall } from '../operator-notes.ts';
import type { HttpResponse } from '../types.ts';
import { basicCredentials } from './authenticate.ts';

/** The header by which the admin screen says, beside the key pair, who uses it. */
export const operatorHeader = 'X-LRS-Operator';
const headerName = operatorHeader.toLowerCase();

/**
 * Finds out which account makes a call of the xAPI, if the call says so: the audit trail keeps those calls. One whose token is
 * not good is refused, so that nothing is done that the trail would lack.
 */
export function identifyOperator(): Step<XapiCall> {
  const identifyOperatorBefore = ({ event }: Request<XapiCall>): Promise<void> | undefined => {
    const header = event.headers[headerName];
    return header === undefined ? undefined : identify(event, header);
  };
  const identifyOperatorOnError = ({ event, response }: Request<XapiCall, HttpResponse>): void => {
    const isRefused = event.headers[headerName] !== undefined && event.principal !== undefined;
    if (response?.statusCode === 401 && isRefused) {
      response.headers['WWW-Authenticate'] = 'Bearer realm="LRS administration"';
    }
  };
  return { before: identifyOperatorBefore, onError: identifyOperatorOnError };
}

async function identify(call: XapiCall, header: string): Promise<void> {
  const token = bearerToken(header);
  if (token === undefined) throw refusal('must be a Bearer token from the login.');
  try {
    const { account } = await call.lrs.logins.verify(token);
    call.account = account;
  } catch (cause) {
    if (cause instanceof LrsError && cause.kind === 'unauthenticated') {
      throw refusal(`is refused: ${cause.message}`);
    }
    throw cause;
  }
  const { authorization } = call.headers;
  if (call.principal.credentialId !== null) call.keyPair = basicCredentials(authorization).key;
  noteXapiCall(call);
}

/** The path of its detail tells the screen that not the key pair is refused, but the session. */
function refusal(message: string): UnauthenticatedError {
  return new UnauthenticatedError(`The header ${operatorHeader} ${message}`, {
    details: [{ path: operatorHeader, message }],
  });
}
