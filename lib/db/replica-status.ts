/**
 * `used`: reads are sent to it. `lagging`: it has not replayed in time what a read depended on. `unreachable`: no connection can
 * be opened, it does not respond, or it has failed a read that the primary served, within the last minute. `primary`: it accepts writes. `foreign`: it is no replica of this database. `unknown`: it has not been
 * tried yet. Only a replica that is `used` serves reads; the others are tried again every second.
 */
export const replicaStates = ['used', 'lagging', 'unreachable', 'primary', 'foreign', 'unknown'] as const;
export type ReplicaState = (typeof replicaStates)[number];

/** Why a replica is not used, for people. */
export const unusedReasons: Readonly<Record<Exclude<ReplicaState, 'used'>, string>> = {
  lagging: 'it is behind the primary, or follows another server. It is used again when it has caught up.',
  unreachable: 'it does not answer. It is used again when it does, or a minute after a read failed there.',
  primary: 'it accepts writes, so it is a primary and not a replica: check dbReadHosts.',
  foreign: 'it is not a replica of this database: check dbReadHosts.',
  unknown: 'it has not been tried yet.',
};

/** A replica as this process knows it. */
export interface ReplicaStatus {
  /** Its host and port, as in `pg2:5432`. */
  readonly host: string;
  readonly state: ReplicaState;
  /** How far (ms) it may be behind the primary: 0 if it has everything, null if that is not known or it is no replica. */
  readonly lag: number | null;
  /** The reads that it has served since this process began. */
  readonly reads: number;
}

/** A replica has begun or ceased to be used. */
export interface ReplicaChange {
  readonly host: string;
  readonly state: ReplicaState;
  /** What an operator may do about it. */
  readonly advice?: string | undefined;
  readonly error?: unknown;
}

/** The replicas that serve reads of a database. */
export interface ReadReplicas {
  /** Begins to use them. @param onChange is called when a replica changes its state. */
  start(onChange: (change: ReplicaChange) => void): void;
  /**
   * Calls back whenever the primary is asked where its log ends. A read by key and a `tryLockRead` that begin in the call are sent
   * in the same message, so they cost the primary little more.
   */
  onQuestion(callback: () => void): void;
  /** Asks all of them. */
  status(): Promise<readonly ReplicaStatus[]>;
}
