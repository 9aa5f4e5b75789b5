/** Why a database server can't be used. */
export interface HostFault {
  /** Its host and port, as in `pg2:5432`. */
  readonly host: string;
  /** What is wrong, and what to do about it. */
  readonly reason: string;
}
