import { ApiError, ConnectionError } from '../../../api/errors.ts';

/** Seconds to wait after each failure in a row; then somebody has to say that it goes on. */
const pauses = [1, 2, 4, 8, 15, 30];
const longestPause = 120;

/** What keeps a run from sending. */
export type Hold =
  | { readonly kind: 'waiting'; readonly error: Error; readonly until: number }
  | { readonly kind: 'stopped'; readonly error: Error }
  | { readonly kind: 'paused' };

/** Sends again what a network or a busy server has lost, in growing intervals, and stops for what needs somebody. */
export class Patience {
  readonly #signal: AbortSignal;
  readonly #onHold: (hold: Hold | undefined) => void;
  #isPaused = false;
  #goOn: (() => void) | undefined;

  constructor(signal: AbortSignal, onHold: (hold: Hold | undefined) => void) {
    this.#signal = signal;
    this.#onHold = onHold;
  }

  pause(): void {
    this.#isPaused = true;
  }

  /** Ends a pause, or the wait for the next try. */
  goOn(): void {
    this.#isPaused = false;
    this.#goOn?.();
  }

  /**
   * Does the work, as often as it takes.
   * @param isFinal whether an error is the answer itself.
   * @throws such an error, and the reason of the signal.
   */
  async insist<T>(work: () => Promise<T>, isFinal: (error: unknown) => boolean): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      if (this.#isPaused) await this.#hold({ kind: 'paused' });
      this.#signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        this.#signal.throwIfAborted();
        if (isFinal(error) || !(error instanceof Error)) throw error;
        const pause = pauses[failures];
        if (pause === undefined || !mayPass(error)) {
          await this.#hold({ kind: 'stopped', error });
          failures = -1;
        } else {
          const seconds = Math.min(Math.max(pause, retryAfterOf(error)), longestPause);
          await this.#hold({ kind: 'waiting', error, until: Date.now() + seconds * 1000 }, seconds * 1000);
        }
      }
    }
  }

  /** @param milliseconds after which it ends by itself. */
  async #hold(hold: Hold, milliseconds?: number): Promise<void> {
    this.#onHold(hold);
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      this.#signal.addEventListener('abort', () => resolve(), { once: true });
      if (milliseconds !== undefined) timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
    this.#goOn = undefined;
    this.#onHold(undefined);
  }
}

/** Whether the same request may succeed a little later. */
function mayPass(error: Error): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status >= 500 || error.status === 429 || error.status === 408);
}

function retryAfterOf(error: Error): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
}
