import { ApiError } from '../api/errors.ts';
import { StoredText } from './stored-text.ts';

/** Why nobody is signed in. */
export type SignedOutBecause = 'not-yet' | 'expired' | 'signed-out';

/**
 * Who is signed in, in all tabs of this browser and across reloads. Only the token is kept, which is no password and ends by
 * itself.
 */
class Session {
  readonly stored = new StoredText('token');
  because: SignedOutBecause = 'not-yet';

  token(): string | undefined {
    return this.stored.get();
  }

  begin(token: string): void {
    this.because = 'not-yet';
    this.stored.set(token);
  }

  end(because: SignedOutBecause): void {
    this.because = because;
    this.stored.set(undefined);
  }

  /** A call with the token failed: if it is still the one in use and no longer counts, nobody is signed in. */
  noticeRefusal(error: unknown, token: string | undefined): void {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') return;
    if (token !== undefined && token === this.token()) this.end('expired');
  }
}

export const session = new Session();
