/** The database server that writes go to: one of several hosts that replicate each other, or the only one. */
export interface WriteTarget {
  /** Its host and port, as in `pg2:5432`; undefined before the first connection that writes. */
  readonly host: string | undefined;
  /** Whether writes may go to this host. */
  includes(host: string): boolean;
  /** Calls back with the host, if it is known, and whenever another one takes over; never when there is only one. */
  follow(callback: (host: string) => void): void;
}
