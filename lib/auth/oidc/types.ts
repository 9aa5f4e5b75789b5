import type { LoginService } from '../../accounts/types.ts';
import type { Principal } from '../../credentials/types.ts';
import type { JsonObject } from '../../json/types.ts';

/** The library, which is loaded only where a provider is configured. */
export type Jose = typeof import('jose');

/** The part of the configuration that is used here. */
export interface OidcSettings {
  readonly webserver: {
    /** null: no provider is configured. */
    readonly oidcIssuer: string | null;
    readonly oidcVerifyRemoteIssuer: boolean;
    readonly oidcAudience: string | null;
    readonly oidcClientId: string | null;
    /** File; null: the built-in form. */
    readonly oidcClientTemplate: string | null;
    /** Seconds. */
    readonly jwtExpLeeway: number;
  };
  readonly lrs: {
    readonly oidcScopePrefix: string;
    /** File; null: the built-in form. */
    readonly oidcAuthorityTemplate: string | null;
  };
}

/** The claims of a verified token (RFC 7519). */
export type Claims = Readonly<Record<string, unknown>>;

/** Access tokens of an OpenID provider as `Authorization: Bearer`. */
export interface OidcService extends LoginService {
  /**
   * Who an xAPI request with this token speaks for.
   * @throws UnauthenticatedError when the token does not count; UnavailableError when that can't be told, because the
   *   provider's keys can't be had.
   */
  principal(token: string): Promise<Principal>;
  /** The public settings with which a page logs in at the provider, when that is configured. */
  readonly client: JsonObject | undefined;
  /** The addresses that this page calls at the provider. */
  calledByClient(): Promise<readonly string[]>;
}
