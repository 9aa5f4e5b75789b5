import type { Request } from '@middy/core';
import { UnauthenticatedError } from '../../errors.ts';
import type { Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

const challenge = 'Basic realm="LRS", charset="UTF-8"';

/** Finds out whose key pair the call carries as HTTP Basic credentials (RFC 7617; xAPI 1.0.3 Communication 4.0). */
export function authenticate(): Step<XapiCall> {
  const authenticateBefore = async ({ event }: Request<XapiCall>): Promise<void> => {
    const { key, secret } = basicCredentials(event.headers.authorization);
    const principal = await event.lrs.credentials.authenticate(key, secret);
    if (principal === undefined) throw new UnauthenticatedError('The key pair is not known.');
    event.principal = principal;
  };
  const authenticateOnError = ({ response }: Request<XapiCall, HttpResponse>): void => {
    if (response?.statusCode === 401) response.headers['WWW-Authenticate'] = challenge;
  };
  return { before: authenticateBefore, onError: authenticateOnError };
}

const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Everything up to the first colon is the key: a secret may contain colons, a key can't. */
function basicCredentials(header: string | undefined): { key: string; secret: string } {
  if (header === undefined)
    throw new UnauthenticatedError('The header Authorization with a Basic key pair is missing.');
  const pair = Buffer.from(basic.exec(header)?.[1] ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) {
    throw new UnauthenticatedError(
      'The header Authorization must be Basic and the Base64 form of api-key:secret-key.',
    );
  }
  return { key: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}
