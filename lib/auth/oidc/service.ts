import type { AccountService, ExternalIdentity, LoginService } from '../../accounts/types.ts';
import type { Principal } from '../../credentials/types.ts';
import { ForbiddenError, UnauthenticatedError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { loadTokens } from '../tokens.ts';
import { type AuthorityOfClaims, readOidcAuthorityTemplate } from './authority.ts';
import { clientSettings } from './client-settings.ts';
import { OidcProvider } from './provider.ts';
import { adminScope, type Grant, grantOf } from './scopes.ts';
import { TokenVerifier } from './token-verifier.ts';
import type { Claims, OidcService, OidcSettings } from './types.ts';

export interface OidcOptions {
  readonly settings: OidcSettings;
  readonly logger: Logger;
  readonly accounts: Pick<AccountService, 'external'>;
  /** Tokens of this LRS; undefined: the provider alone vouches for administrators. */
  readonly localLogins: LoginService | undefined;
}

/** Whom a good token speaks for, as it is remembered. */
interface Bearer {
  readonly grant: Grant;
  /** undefined: the token names no subject, or one that no database takes. */
  readonly identity: ExternalIdentity | undefined;
  /** @throws UnauthenticatedError when the claims give no authority. */
  principal(): Principal;
}

/**
 * Takes the access tokens of the configured OpenID provider. That the provider does not answer yet is no failure.
 * @returns undefined when none is configured.
 * @throws InvalidError when a template can't be used, or the provider is not the one that is configured.
 */
export async function openOidc(options: OidcOptions): Promise<OidcService | undefined> {
  const { settings, logger, accounts, localLogins } = options;
  const { webserver, lrs } = settings;
  if (webserver.oidcIssuer === null) return undefined;
  const authorityOf = await readOidcAuthorityTemplate(lrs.oidcAuthorityTemplate);
  const client = await clientSettings(settings);
  const jose = await import('jose');
  const { oidcIssuer: issuer, oidcVerifyRemoteIssuer: verifyRemoteIssuer } = webserver;
  const provider = new OidcProvider(jose, { issuer, verifyRemoteIssuer, logger });
  await provider.start();
  const rules = { audience: webserver.oidcAudience, leeway: webserver.jwtExpLeeway };
  const verifier = new TokenVerifier<Bearer>(jose, provider, rules);
  const bearerOf = (claims: Claims): Bearer => readBearer(claims, lrs.oidcScopePrefix, authorityOf);
  return {
    client,

    async calledByClient() {
      if (client === undefined) return [];
      return [client.authority, client.metadataUrl, ...(await provider.endpoints())].filter(isText);
    },

    async principal(token) {
      return (await verifier.verify(token, bearerOf)).principal();
    },

    async verify(token) {
      if (localLogins !== undefined && !(await namesIssuer(token))) return localLogins.verify(token);
      const { grant, identity } = await verifier.verify(token, bearerOf);
      if (identity === undefined)
        throw new UnauthenticatedError('The token has no claim sub that can be a user name.');
      if (!grant.isAdmin)
        throw new ForbiddenError(`The token lacks the scope ${lrs.oidcScopePrefix}${adminScope}.`);
      return { account: await accounts.external(identity), token: undefined };
    },
  };
}

function readBearer(claims: Claims, scopePrefix: string, authorityOf: AuthorityOfClaims): Bearer {
  const grant = grantOf(claims, scopePrefix);
  const { sub: username, iss: issuer } = claims;
  let principal: Principal | undefined;
  return {
    grant,
    identity: isText(username) && isText(issuer) ? { username, issuer } : undefined,
    principal() {
      principal ??= {
        credentialId: null,
        label: 'openid',
        scopes: grant.scopes,
        authority: authorityOf(claims),
      };
      return principal;
    },
  };
}

/** Tokens of this LRS name no issuer. */
async function namesIssuer(token: string): Promise<boolean> {
  const jwt = await loadTokens();
  try {
    const claims = jwt.decode(token);
    return typeof claims === 'object' && claims?.iss !== undefined;
  } catch {
    return false;
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value);
