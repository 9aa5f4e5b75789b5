import { type Entrance, eventEntrance } from './entrance.ts';
import { type ClientAnswer, gatewayEvents } from './gateway-events.ts';
import { audience, type OpenIdProvider } from './openid-provider.ts';

/** An LRS that takes the tokens of a provider. */
export interface OidcEntrance extends Entrance {
  /** Calls the statements resource with a token; without a statement it is a GET. */
  xapi(token: string, statement?: object): Promise<ClientAnswer>;
  admin(token: string, method: string, path: string, body?: object): Promise<ClientAnswer>;
}

const json = { 'content-type': 'application/json' };

/** @param env settings beside issuer and audience. */
export async function oidcEntrance(
  { issuer }: Pick<OpenIdProvider, 'issuer'>,
  env: Readonly<Record<string, string>> = {},
): Promise<OidcEntrance> {
  const eventOf = gatewayEvents['HTTP API event (v2)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  const oidc = { LRS_OIDC_ISSUER: issuer, LRS_OIDC_AUDIENCE: audience, LRS_JWT_EXP_LEEWAY: '0' };
  const entrance = await eventEntrance(eventOf, '', { ...oidc, ...env });
  return {
    ...entrance,
    xapi: (token, statement) =>
      entrance.send({
        method: statement === undefined ? 'GET' : 'POST',
        path: '/xapi/statements',
        headers: { ...json, authorization: `Bearer ${token}`, 'x-experience-api-version': '1.0.3' },
        ...(statement !== undefined && { body: JSON.stringify(statement) }),
      }),
    admin: (token, method, path, body) =>
      entrance.send({
        method,
        path,
        headers: { ...json, authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}
