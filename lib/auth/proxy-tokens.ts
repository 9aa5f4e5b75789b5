import type { AccountService, Login, LoginService } from '../accounts/types.ts';
import { UnauthenticatedError } from '../errors.ts';

/** The claims of a proxy's tokens; names as in the configuration (`webserver.jwtNoVal…`). */
export interface ProxyTokenOptions {
  /** The claim with the user name. */
  readonly uname: string;
  /** The claim with the issuer. */
  readonly issuer: string;
  /** The claim with the roles: one text or a list of them. */
  readonly roleKey: string;
  /** The role that may administer. */
  readonly role: string;
  readonly accounts: Pick<AccountService, 'external'>;
}

type Claims = Readonly<Record<string, unknown>>;

const refusal = 'The token does not name a user with the role that may administer.';

/**
 * Tokens that a trusted proxy has checked and puts on every request (`webserver.jwtNoVal`): neither their signature nor
 * their times are looked at. Their user gets an account with the first of them.
 */
export function createProxyTokens({
  uname,
  issuer,
  roleKey,
  role,
  accounts,
}: ProxyTokenOptions): LoginService {
  return {
    async verify(token): Promise<Login> {
      const claims = claimsOf(token);
      const roles = claims[roleKey];
      const permitted = roles === role || (Array.isArray(roles) && roles.includes(role));
      if (!permitted) throw new UnauthenticatedError(refusal);
      const identity = { username: textOf(claims, uname), issuer: textOf(claims, issuer) };
      return { account: await accounts.external(identity), token: undefined };
    },
  };
}

/** The second part of the token, in either alphabet of Base64. */
function claimsOf(token: string): Claims {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64').toString('utf8'));
    if (isClaims(claims)) return claims;
  } catch (cause) {
    throw new UnauthenticatedError(refusal, { cause });
  }
  throw new UnauthenticatedError(refusal);
}

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(claims: Claims, name: string): string {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof value !== 'string' || value === '' || /\p{Cc}/u.test(value))
    throw new UnauthenticatedError(refusal);
  return value;
}
