import type { Login } from '../accounts/types.ts';
import type { Scope } from '../xapi/scopes.ts';
import type { Actor } from '../xapi/types.ts';

/** A key pair as its owner sees it. */
export interface Credential {
  readonly id: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly label: string | null;
  readonly scopes: readonly Scope[];
  /** True on the pair that the configuration seeds. */
  readonly seed: boolean;
}

/** A key pair in the list of its owner; the secret key is null when it was stored under another `credentialKey`. */
export type ListedCredential = Omit<Credential, 'secretKey'> & { readonly secretKey: string | null };

/** Who an xAPI request speaks for. */
export interface Principal {
  /** null: an OpenID token, not a key pair. */
  readonly credentialId: string | null;
  /** How metrics and traces call it; no secret, and not unique. */
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Whom statements of this request carry as `authority`. */
  readonly authority: Actor;
}

/** Tells key pairs, and bearers of tokens, apart. */
export const nameOfPrincipal = ({ credentialId, authority }: Principal): string =>
  credentialId ?? JSON.stringify(authority);

export interface OwnedPrincipal {
  readonly principal: Principal;
  readonly apiKey: string;
}

export interface CredentialService {
  /**
   * A new pair of the caller's account.
   * @throws UnauthenticatedError when the account is gone by then, or the token revoked; ConflictError when the account has as
   *   many pairs as it may.
   */
  create(caller: Login, scopes: readonly Scope[], label: string | null): Promise<Credential>;
  list(accountId: string): Promise<ListedCredential[]>;
  /**
   * Replaces scopes and label.
   * @throws NotFoundError when the caller's account has no such pair; UnauthenticatedError as `create`.
   */
  update(
    caller: Login,
    pair: { readonly apiKey: string; readonly secretKey: string },
    change: { readonly scopes: readonly Scope[]; readonly label: string | null },
  ): Promise<Credential>;
  /**
   * The secret key counts unless it can't be read any more.
   * @throws NotFoundError when the caller's account has no such pair; UnauthenticatedError as `create`.
   */
  delete(caller: Login, pair: { readonly apiKey: string; readonly secretKey: string }): Promise<void>;
  /**
   * The principal of a Basic pair, or undefined when it matches nobody. Verified pairs are cached for a moment: those are
   * returned at once.
   */
  authenticate(apiKey: string, secretKey: string): Principal | Promise<Principal | undefined>;
  /** The principal of a pair of the account, with its API key; undefined when the account has no pair with that id. */
  ofAccount(accountId: string, credentialId: string): Promise<OwnedPrincipal | undefined>;
}
