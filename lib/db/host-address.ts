/** The address of one database server. */
export interface HostAddress {
  /** A name, an IP address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
}

/** For people: `pg1:5432`. */
export const textOf = ({ host, port }: HostAddress): string => `${host}:${port}`;
