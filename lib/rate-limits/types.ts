/** What a limit is counted by: the key pair (or the bearer of a token) of a request, or the network that it comes from. */
export type RateLimited = 'keyPair' | 'address';

/** Limits the requests of each key pair and of each network, for all processes on one database together. */
export interface RateLimitService {
  /**
   * Counts a request.
   * @param name the id of a key pair, or a network.
   * @returns a promise only where a request has to wait for the database.
   * @throws TooManyRequestsError above the limit.
   */
  admit(by: RateLimited, name: string): Promise<void> | undefined;
}

export interface RateLimitOptions {
  /** Requests per second; undefined: no limit. */
  readonly rates: Readonly<Record<RateLimited, number | undefined>>;
  /** How many seconds' requests may come at once. */
  readonly burstSeconds: number;
  /** Makes the marks, so that the database holds no addresses; all processes must have the same. */
  readonly key: Buffer;
  /** Whether a request waits until its slice is taken: a function must leave nothing running behind an answer. */
  readonly waits: boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}
