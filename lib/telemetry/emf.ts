import { logContext } from '../log-context.ts';
import { isMeasured, measureInto } from './measure.ts';
import type { AnsweredRequest, CommittedGroup, DatabaseOperation, Measurements } from './types.ts';

const units = {
  Requests: 'Count',
  ClientErrors: 'Count',
  ServerErrors: 'Count',
  ColdStarts: 'Count',
  Duration: 'Milliseconds',
  DatabaseDuration: 'Milliseconds',
  DatabaseFailures: 'Count',
  CommitDuration: 'Milliseconds',
  Statements: 'Count',
} as const;

type Values = { -readonly [Name in keyof typeof units]?: number };

/** The names of the metrics, and the units of CloudWatch. */
export const emfMetrics: Readonly<Record<string, string>> = units;

/**
 * Writes a line for each request that CloudWatch reads as a log entry and as metrics (Embedded Metric Format), by route and in
 * sum: a dimension of key pairs would cost as much as all others. A function answers one request at a time.
 * @param write takes one line at once, because a function may be frozen for ever after its answer.
 */
export function startEmf(namespace: string, write: (line: string) => void): void {
  if (!isMeasured()) measureInto(new EmfRecorder(namespace, write));
}

class EmfRecorder implements Measurements {
  readonly #namespace: string;
  readonly #write: (line: string) => void;
  #values: Values = { ColdStarts: 1 };
  #refusal: object = {};

  constructor(namespace: string, write: (line: string) => void) {
    this.#namespace = namespace;
    this.#write = write;
  }

  requestBegan(): void {}

  refused(code: string, rule: string): void {
    this.#refusal = { code, ...(rule !== '' && { rule }) };
  }

  committed({ statements, milliseconds }: CommittedGroup): void {
    this.#add('Statements', statements);
    this.#add('CommitDuration', milliseconds);
  }

  databaseAnswered(_: DatabaseOperation, milliseconds: number, isFailed: boolean): void {
    this.#add('DatabaseDuration', milliseconds);
    if (isFailed) this.#add('DatabaseFailures', 1);
  }

  requestEnded({ method, route, status, keyPair, milliseconds }: AnsweredRequest): void {
    this.#add('Requests', 1);
    this.#add('Duration', milliseconds);
    if (status >= 500) this.#add('ServerErrors', 1);
    else if (status >= 400) this.#add('ClientErrors', 1);
    const fields = { Route: `${method} ${route}`, status, keyPair, ...this.#refusal, ...logContext() };
    this.#write(`${JSON.stringify({ ...this.#metadata(), ...fields, ...this.#values })}\n`);
    this.#values = {};
    this.#refusal = {};
  }

  #add(name: keyof Values, value: number): void {
    this.#values[name] = (this.#values[name] ?? 0) + value;
  }

  #metadata(): object {
    const Metrics = Object.keys(this.#values).map((Name) => ({ Name, Unit: emfMetrics[Name] }));
    const directive = { Namespace: this.#namespace, Dimensions: [[], ['Route']], Metrics };
    return { _aws: { Timestamp: Date.now(), CloudWatchMetrics: [directive] } };
  }
}
