import type { WriteSession } from '../db/types.ts';

/** What to do where nobody can log in yet; the end of a sentence. */
export const firstAccountAdvice =
  'create an account with `npm run lrs -- account create NAME`, or set LRS_ADMIN_USER_DEFAULT and LRS_ADMIN_PASS_DEFAULT and start again';

export interface AdminAccount {
  readonly id: string;
  readonly username: string;
}

/** An account, and which of its tokens count. */
export interface TokenHolder extends AdminAccount {
  /** Tokens of an earlier generation are revoked, */
  readonly tokenGeneration: number;
  /** except the one with this `jti`. */
  readonly keptToken: string | null;
}

/** A person as another system vouches for them. */
export interface ExternalIdentity {
  readonly username: string;
  readonly issuer: string;
}

/** Administration accounts: people who log in. */
export interface AccountService {
  /**
   * Resolves with the account when the password is right. The work done is the same whether or not the user exists.
   * @param client the address that the request came from, as far as it is known.
   * @throws UnauthenticatedError otherwise, with one fixed text; TooManyRequestsError after too many wrong passwords.
   */
  login(username: string, password: string, client?: string): Promise<TokenHolder>;
  /**
   * @param caller who asks for it, if it is asked for through the administration.
   * @throws InvalidError with one detail per broken rule; ConflictError when the name is taken or there are as many accounts as
   *   may be; UnauthenticatedError when the caller's account is gone by then, or the token revoked.
   */
  create(username: string, password: string, caller?: Login): Promise<TokenHolder>;
  /**
   * The account of a person for whom another system vouches; it is made when it is asked for first and has no password.
   * @throws UnauthenticatedError when the name belongs to an account of another issuer or of none; ForbiddenError when there
   *   are as many accounts as may be.
   */
  external(identity: ExternalIdentity): Promise<AdminAccount>;
  list(): Promise<AdminAccount[]>;
  /** Whether there is any; once there was one, nobody looks again, because the last one can't be deleted. */
  exist(): Promise<boolean>;
  find(id: string): Promise<TokenHolder | undefined>;
  /**
   * Changes the password of the caller's account and revokes its tokens, except that of the call.
   * @throws InvalidError with one detail per broken rule, or when the account has no password; UnauthenticatedError when the
   * old one is wrong, or when the account is gone by then or the token revoked; TooManyRequestsError after too many wrong ones.
   */
  changePassword(caller: Login, change: PasswordChange): Promise<void>;
  /**
   * Sets a password without the old one, also for an account that was imported without any, and revokes the account's tokens.
   * @param caller who asks for it, if it is asked for through the administration.
   * @throws InvalidError with one detail per broken rule, or when another system vouches for the account; NotFoundError;
   *   UnauthenticatedError when the caller's account is gone by then, or the token revoked.
   */
  resetPassword(id: string, newPassword: string, caller?: Login): Promise<void>;
  /** Revokes all tokens of the account, in every process. */
  revokeTokens(id: string): Promise<void>;
  /**
   * @param caller who asks for it, if it is asked for through the administration.
   * @throws NotFoundError when there is no such account; InvalidError when nobody could log in without it;
   *   UnauthenticatedError when the caller's account is gone by then, or the token revoked.
   */
  delete(id: string, caller?: Login): Promise<void>;
  /** Creates the configured first account when its name is free. */
  bootstrap(): Promise<void>;
}

/** What the service of accounts needs of that of key pairs. */
export interface AccountKeyPairs {
  /** Gives the configured pair to a new account, with all rights; not when its API key is in use already. */
  seed(session: WriteSession, accountId: string): Promise<void>;
  /** Whether the configured pair, if there is one, is accepted. */
  hasSeed(): Promise<boolean>;
  /** To be called when key pairs have changed in another way than through their service, as when an account is deleted. */
  forgetVerified(): void;
}

export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  /** The address that the request came from, as far as it is known. */
  readonly client: string | undefined;
}

/** Who calls the administration. */
export interface Login {
  readonly account: AdminAccount;
  /** The token that the call carries, when it is one that this LRS has issued: only that can be renewed or revoked. */
  readonly token: LoginToken | undefined;
}

export interface LoginToken {
  /** Its `jti`. */
  readonly id: string | undefined;
  /** The time of its `ref`, in seconds since the epoch: it can be renewed before. */
  readonly refreshUntil: number | undefined;
  /** The generation of a token that renews it. */
  readonly generation: number;
}

/** Finds out who carries a token as `Authorization: Bearer`. */
export interface LoginService {
  /** @throws UnauthenticatedError. */
  verify(token: string): Promise<Login>;
}

/** Login tokens of this LRS: signed and short-lived. */
export interface TokenService extends LoginService {
  /** A login token for the account (claims `acc`, `iat`, `exp`, `ref`, `jti`, `gen`). */
  issue(account: TokenHolder): Promise<string>;
  /**
   * A new token for the same login; `ref` stays and `exp` never passes it.
   * @throws UnauthenticatedError when `ref` has passed; InvalidError when the token is not one of this LRS.
   */
  renew(login: Login): Promise<string>;
}
