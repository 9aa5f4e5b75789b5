import type { passwordRules, usernameRules } from '../../../lib/accounts/rules.ts';
import { storageKey } from '../observable/home.ts';
import { StoredText } from '../observable/stored-text.ts';
import { ApiError } from './errors.ts';
import { claimsOf, holderOf } from './token.ts';

/** Why nobody is signed in any more. */
export type Ending = 'expired' | 'signed-out';

/** The name of a rule for names or passwords of accounts. */
export type RuleName = (typeof usernameRules | typeof passwordRules)[number]['name'];

/** What is known of a session beside its token. */
export interface SessionFacts {
  /** How far the server's clock is ahead of this machine's, in milliseconds: all times in a token are the server's. */
  readonly clockAhead: number;
  /** Whether a renewal makes the session longer. */
  readonly canRenew: boolean;
  /** What name and password break with which it began; only those of the configured first account can break any. */
  readonly brokenRules: readonly RuleName[];
}

/** Where the client of an OpenID provider keeps what is its own; it ends with the session. */
export const providerPrefix = storageKey('oidc.');

const noFacts: SessionFacts = { clockAhead: 0, canRenew: false, brokenRules: [] };

/**
 * Who is signed in, in all tabs of this browser and across reloads. Only the token is kept, which is no password and ends by
 * itself.
 */
class Session {
  readonly stored = new StoredText('token');
  readonly #facts = new StoredText('session');
  readonly #ending = new StoredText('ended');

  token(): string | undefined {
    return this.stored.get();
  }

  /** Tells who is signed in; undefined while nobody is. */
  readonly holder = (): string | undefined => {
    const token = this.token();
    return token === undefined ? undefined : holderOf(token);
  };

  /** Calls whenever somebody else is signed in than before, or nobody any more. */
  whenOther(notice: () => void): void {
    let holder = this.holder();
    this.stored.subscribe(() => {
      if (holder === this.holder()) return;
      holder = this.holder();
      notice();
    });
  }

  facts(): SessionFacts {
    return { ...noFacts, ...JSON.parse(this.#facts.get() ?? '{}') };
  }

  /** undefined before the first session of this browser, too. */
  ending(): Ending | undefined {
    const ending = this.#ending.get();
    return ending === 'expired' || ending === 'signed-out' ? ending : undefined;
  }

  /** Begins a session, or goes on with it by a new token. */
  begin(token: string, known: Partial<SessionFacts> = {}): void {
    const { iat, exp = 0, ref = 0 } = claimsOf(token);
    const clockAhead = iat === undefined ? 0 : iat * 1000 - Date.now();
    this.#keep({ clockAhead, canRenew: ref > exp, ...known });
    this.#ending.set(undefined);
    this.stored.set(token);
  }

  /** The next renewal would be refused. */
  cannotRenew(): void {
    this.#keep({ ...this.facts(), canRenew: false });
  }

  end(because: Ending): void {
    this.#ending.set(because);
    this.#facts.set(undefined);
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(providerPrefix)) localStorage.removeItem(key);
    }
    this.stored.set(undefined);
  }

  /** A call with the token failed: if it is still the one in use and no longer counts, nobody is signed in. */
  noticeRefusal(error: unknown, token: string | undefined): void {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') return;
    if (token !== undefined && token === this.token()) this.end('expired');
  }

  #keep(facts: Partial<SessionFacts>): void {
    this.#facts.set(JSON.stringify(facts));
  }
}

export const session = new Session();

/** Now by the server's clock, in milliseconds since the epoch. */
export function serverNow(): number {
  return Date.now() + session.facts().clockAhead;
}
