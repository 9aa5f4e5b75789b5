export interface AdminAccount {
  readonly id: string;
  readonly username: string;
}

/** Administration accounts: people who log in. */
export interface AccountService {
  /**
   * Resolves with the account when the password is right. The work done is the same whether or not the user exists.
   * @throws UnauthenticatedError otherwise, with one fixed text.
   */
  login(username: string, password: string): Promise<AdminAccount>;
  /** @throws InvalidError with one detail per broken rule; ConflictError when the name is taken. */
  create(username: string, password: string): Promise<AdminAccount>;
  list(): Promise<AdminAccount[]>;
  find(id: string): Promise<AdminAccount | undefined>;
  /** @throws NotFoundError when there is no such account; InvalidError when it is the only one. */
  delete(id: string): Promise<void>;
  /** Creates the configured first account when its name is free. */
  bootstrap(): Promise<void>;
}

/** Login tokens: signed, short-lived, `Authorization: Bearer`. */
export interface TokenService {
  /** A login token for the account (claims `acc`, `iat`, `exp`, `ref`, `jti`). */
  issue(accountId: string): Promise<string>;
  /** The account that the token speaks for. @throws UnauthenticatedError. */
  verify(token: string): Promise<AdminAccount>;
}
