/** What a feed asks of time in this process. */
export interface FeedClock {
  /** Milliseconds since the epoch. */
  date(): number;
  /** Milliseconds that pass evenly, from any beginning. */
  monotonic(): number;
  /** Calls `work` after so many milliseconds, unless the function that it returns is called first. It keeps no process alive. */
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
