/** The settings of telemetry, without secrets. */
export interface TelemetrySettings {
  /** null: `/metrics` has no port of its own. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** How many key pairs have a label of their own in metrics. */
  readonly metricsKeyPairs: number;
  readonly enableOtlpMetrics: boolean;
  readonly enableTraces: boolean;
  /** The part of the requests that is traced where the client does not say, from 0 to 1. */
  readonly traceRatio: number;
  readonly tracesPerSecond: number;
  readonly otlpEndpoint: string;
  /** Seconds. */
  readonly otlpInterval: number;
  readonly enableServerTiming: boolean;
  readonly enableEmf: boolean;
  readonly emfNamespace: string;
}

/** The secrets of telemetry; absent when they are not configured. */
export interface TelemetrySecrets {
  readonly metricsToken?: string;
  readonly otlpHeaders?: string;
}

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path of its route, e.g. `/xapi/statements`. */
  readonly route: string;
  readonly status: number;
  /** The label of its key pair; undefined without one. */
  readonly keyPair: string | undefined;
  readonly milliseconds: number;
}

/** A transaction that stored the statements of one or more requests. */
export interface CommittedGroup {
  readonly requests: number;
  /** New statements. */
  readonly statements: number;
  readonly milliseconds: number;
}

/** An access to the database: a read, a transaction, or a transaction in one message. */
export type DatabaseOperation = 'read' | 'write' | 'batch';

/** Receives what this process measures. None of its methods throws. */
export interface Measurements {
  requestBegan(): void;
  requestEnded(request: AnsweredRequest): void;
  /** @param rule the section of the specification, or the name of the rule or the limit; empty where there is none. */
  refused(code: string, rule: string): void;
  committed(group: CommittedGroup): void;
  databaseAnswered(operation: DatabaseOperation, milliseconds: number, isFailed: boolean): void;
}
