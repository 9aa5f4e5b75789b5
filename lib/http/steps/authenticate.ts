import type { Request } from '@middy/core';
import type { Principal } from '../../credentials/types.ts';
import { UnauthenticatedError } from '../../errors.ts';
import { bearerToken } from '../bearer.ts';
import type { Step, XapiCall } from '../call.ts';
import type { HttpResponse } from '../types.ts';

const basicChallenge = 'Basic realm="LRS", charset="UTF-8"';
const bearerChallenge = 'Bearer realm="LRS"';

/**
 * Finds out whom the call speaks for: the owner of a key pair, sent as HTTP Basic credentials (RFC 7617; xAPI 1.0.3
 * Communication 4.0), or the bearer of a token (RFC 6750) where an OpenID provider is configured.
 */
export function authenticate(): Step<XapiCall> {
  const authenticateBefore = async ({ event }: Request<XapiCall>): Promise<void> => {
    const principal = await principalOf(event);
    event.principal = principal;
    event.responseMemory?.assignTo(principal.credentialId ?? JSON.stringify(principal.authority));
  };
  const authenticateOnError = ({ event, response }: Request<XapiCall, HttpResponse>): void => {
    // Whoever is known lacks something else.
    if (response?.statusCode !== 401 || event.principal !== undefined) return;
    response.headers['WWW-Authenticate'] =
      event.lrs.oidc === undefined ? basicChallenge : `${basicChallenge}, ${bearerChallenge}`;
  };
  return { before: authenticateBefore, onError: authenticateOnError };
}

async function principalOf({ lrs, headers }: XapiCall): Promise<Principal> {
  const token = lrs.oidc && bearerToken(headers.authorization);
  if (lrs.oidc && token !== undefined) return lrs.oidc.principal(token);
  const { key, secret } = basicCredentials(headers.authorization);
  const principal = await lrs.credentials.authenticate(key, secret);
  if (principal === undefined) throw new UnauthenticatedError('The key pair is not known.');
  return principal;
}

const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** The pair in an `Authorization` header. Everything up to the first colon is the key: a secret may contain colons, a key can't. */
export function basicCredentials(header: string | undefined): { key: string; secret: string } {
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
