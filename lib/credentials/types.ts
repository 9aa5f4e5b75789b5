import type { Scope } from '../xapi/scopes.ts';
import type { Agent } from '../xapi/types.ts';

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

/** Who an xAPI request speaks for. */
export interface Principal {
  readonly credentialId: string;
  readonly scopes: readonly Scope[];
  /** The Agent that statements written with this credential carry as `authority`. */
  readonly authority: Agent;
}

export interface CredentialService {
  create(accountId: string, scopes: readonly Scope[], label: string | null): Promise<Credential>;
  list(accountId: string): Promise<Credential[]>;
  /** Replaces scopes and label. @throws NotFoundError when the account has no such pair. */
  update(
    accountId: string,
    pair: { readonly apiKey: string; readonly secretKey: string },
    change: { readonly scopes: readonly Scope[]; readonly label: string | null },
  ): Promise<Credential>;
  /** @throws NotFoundError when the account has no such pair. */
  delete(accountId: string, pair: { readonly apiKey: string; readonly secretKey: string }): Promise<void>;
  /** The principal of a Basic pair, or undefined when it matches nobody. Fast: verified pairs are cached for a moment. */
  authenticate(apiKey: string, secretKey: string): Promise<Principal | undefined>;
}
