/** The clocks that a feed uses in this process. */
export interface FeedClock {
  /** Milliseconds since the epoch. */
  date(): number;
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
  /**
   * Calls `work` after this many milliseconds, unless the returned function is called first. The timer does not keep the
   * process alive.
   */
  after(milliseconds: number, work: () => void): () => void;
}

export const systemClock: FeedClock = {
  date: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
