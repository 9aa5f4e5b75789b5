import { Observable } from '../observable/observable.ts';
import { addressOf } from './address.ts';

export interface ConnectionState {
  /** `slow`: a request has been waiting for an answer for a while. `offline`: the browser has no network at all. */
  readonly status: 'up' | 'slow' | 'unreachable' | 'offline';
  readonly isChecking: boolean;
  /** When the server was last asked in vain; milliseconds since the epoch. */
  readonly failedAt: number | undefined;
}

/** Milliseconds without an answer after which a request counts as slow. */
const slowAfter = 4_000;
/** Milliseconds between two checks of a server that does not answer. */
const checkInterval = 5_000;

/**
 * Whether the server can be reached, as all requests of the page tell together: one notice says it for all of them. While it
 * cannot, the server is asked again and again.
 */
class Connection {
  readonly state = new Observable<ConnectionState>({ status: 'up', isChecking: false, failedAt: undefined });
  #timer: number | undefined;
  #slowRequests = 0;

  constructor() {
    window.addEventListener('offline', () => this.#become({ status: 'offline' }));
    window.addEventListener('online', () => void this.check());
    if (!navigator.onLine) this.#become({ status: 'offline' });
  }

  get isDown(): boolean {
    const { status } = this.state.get();
    return status === 'unreachable' || status === 'offline';
  }

  /** Notes that a request is under way. @returns what notes that it no longer is. */
  began(): () => void {
    let isSlow = false;
    const timer = window.setTimeout(() => {
      isSlow = true;
      this.#slowRequests += 1;
      if (!this.isDown) this.#become({ status: 'slow' });
    }, slowAfter);
    return () => {
      window.clearTimeout(timer);
      if (isSlow) this.#slowRequests -= 1;
      if (!this.isDown) this.#becomeUp();
    };
  }

  answered(): void {
    window.clearTimeout(this.#timer);
    this.#becomeUp();
  }

  failed(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.check(), checkInterval);
    this.#become({ status: navigator.onLine ? 'unreachable' : 'offline', failedAt: Date.now() });
  }

  /** Asks the server whether it is there. */
  async check(): Promise<void> {
    if (this.state.get().isChecking) return;
    this.#become({ isChecking: true });
    try {
      await fetch(addressOf('health'), { cache: 'no-store', signal: AbortSignal.timeout(checkInterval) });
      this.answered();
    } catch {
      this.failed();
    } finally {
      this.#become({ isChecking: false });
    }
  }

  #becomeUp(): void {
    this.#become({ status: this.#slowRequests > 0 ? 'slow' : 'up' });
  }

  #become(change: Partial<ConnectionState>): void {
    const before = this.state.get();
    const next = { ...before, ...change };
    const isSame =
      next.status === before.status &&
      next.isChecking === before.isChecking &&
      next.failedAt === before.failedAt;
    if (!isSame) this.state.set(next);
  }
}

export const connection = new Connection();
