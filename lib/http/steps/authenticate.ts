import type { Request } from '@middy/core';
import type { Principal } from '../../credentials/types.ts';
import { UnauthenticatedError } from '../../errors.ts';
import { isUuid } from '../../xapi/uuid.ts';
import { bearerToken } from '../bearer.ts';
import type { Step, XapiCall } from '../call.ts';
import { noteXapiCall } from '../operator-notes.ts';
import type { HttpResponse } from '../types.ts';
import { forgetAccount } from './authenticate-account.ts';

const basicChallenge = 'Basic realm="LRS", charset="UTF-8"';
const bearerChallenge = 'Bearer realm="LRS"';

/**
 * Finds out whom the call speaks for: the owner of a key pair, sent as HTTP Basic credentials (RFC 7617; xAPI 1.0.3
 * Communication 4.0), or the bearer of a token (RFC 6750) where an OpenID provider is configured.
 */
export function authenticate(): Step<XapiCall> {
  const authenticateBefore = ({ event }: Request<XapiCall>): Promise<void> | undefined => {
    const principal = principalOf(event);
    if (principal instanceof Promise) return principal.then((found) => speaksFor(event, found));
    speaksFor(event, principal);
    return undefined;
  };
  const authenticateOnError = ({ event, response }: Request<XapiCall, HttpResponse>): void => {
    // Whoever is known lacks something else.
    if (response?.statusCode !== 401 || event.principal !== undefined) return;
    response.headers['WWW-Authenticate'] =
      event.lrs.oidc === undefined ? basicChallenge : `${basicChallenge}, ${bearerChallenge}`;
  };
  return { before: authenticateBefore, onError: authenticateOnError };
}

/**
 * The same once more, for a call whose body had to be waited for: its key pair may have been deleted or changed meanwhile, and then
 * the audit trail keeps no more of it than of one with an unknown key pair. Tokens of an OpenID provider count until they expire,
 * and one that expires during an upload does not break it off.
 */
export function authenticateAgain(): Step<XapiCall> {
  const { before } = authenticate();
  const authenticateAgainBefore = (request: Request<XapiCall>): unknown => {
    const call: { principal: Principal | undefined } = request.event;
    forgetAccount(request.event);
    if (call.principal?.credentialId === null) return undefined;
    call.principal = undefined;
    return before?.(request);
  };
  return { before: authenticateAgainBefore };
}

function speaksFor(call: XapiCall, principal: Principal): void {
  call.principal = principal;
  if (call.observation !== undefined) call.observation.keyPair = principal.label;
  call.responseMemory?.assignTo(principal.credentialId ?? JSON.stringify(principal.authority));
}

const parameter = 'credentialID';

/** At once where it is cached, because every request asks. */
function principalOf(call: XapiCall): Principal | Promise<Principal> {
  const { lrs, headers, query } = call;
  const id = call.credentialId ?? query.get(parameter);
  if (id !== null && lrs.config.webserver.authByCredId) return namedPrincipal(call, id);
  const token = lrs.oidc && bearerToken(headers.authorization);
  if (lrs.oidc && token !== undefined) return lrs.oidc.principal(token);
  const { key, secret } = basicCredentials(headers.authorization);
  const principal = lrs.credentials.authenticate(key, secret);
  return principal instanceof Promise ? principal.then(requireKnown) : principal;
}

function requireKnown(principal: Principal | undefined): Principal {
  if (principal === undefined) throw new UnauthenticatedError('The key pair is not known.');
  return principal;
}

/**
 * With `authByCredId`, the key pair that an account names as one of its own in `credentialID`, where it comes with the token of
 * a login. The parameter is used up: neither the action nor a `more` link has it.
 */
async function namedPrincipal(call: XapiCall, id: string): Promise<Principal> {
  const { lrs, query, headers } = call;
  const token = bearerToken(headers.authorization);
  if (token === undefined) {
    throw new UnauthenticatedError(`The parameter ${parameter} needs the Bearer token of a login.`);
  }
  const { account } = await lrs.logins.verify(token);
  const owned = isUuid(id) ? await lrs.credentials.ofAccount(account.id, id.toLowerCase()) : undefined;
  if (owned === undefined) {
    throw new UnauthenticatedError(`The account has no key pair with the id in ${parameter}.`);
  }
  query.delete(parameter);
  call.credentialId = id;
  call.account = account;
  call.keyPair = owned.apiKey;
  noteXapiCall(call);
  return owned.principal;
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
