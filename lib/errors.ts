/**
 * The one vocabulary of failures. The domain throws these; only `lib/http/error-response.ts` knows which HTTP status a
 * kind becomes. `message` and `details` are for the client; anything private goes into `cause`, which only the log sees.
 */

/** A place in the input and the rule it breaks, e.g. `{path: 'statement.verb.id', message: 'must be an IRI', section: 'Data 2.4.3'}`. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  /** The part of the specification the rule comes from, e.g. `xAPI 1.0.3 Data 2.4.6`. */
  readonly section?: string;
}

export interface LrsErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
}

export type LrsErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'unavailable';

/** Base of every error that a client may be told about. */
export abstract class LrsError extends Error {
  abstract readonly kind: LrsErrorKind;
  readonly details: readonly ErrorDetail[];

  constructor(message: string, options: LrsErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details ?? [];
  }
}

/** The input breaks a rule. */
export class InvalidError extends LrsError {
  readonly kind = 'invalid';
}

/** No credentials, or credentials that match nobody. */
export class UnauthenticatedError extends LrsError {
  readonly kind = 'unauthenticated';
}

/** Known, but not permitted. */
export class ForbiddenError extends LrsError {
  readonly kind = 'forbidden';
}

/** What was asked for does not exist. */
export class NotFoundError extends LrsError {
  readonly kind = 'not-found';
}

/** The resource exists but does not answer this method; `allowed` lists those it does. */
export class MethodNotAllowedError extends LrsError {
  readonly kind = 'method-not-allowed';
  readonly allowed: readonly string[];

  constructor(message: string, allowed: readonly string[]) {
    super(message);
    this.allowed = allowed;
  }
}

/** The request contradicts what is stored. */
export class ConflictError extends LrsError {
  readonly kind = 'conflict';
}

/** An `If-Match` or `If-None-Match` condition does not hold. */
export class PreconditionFailedError extends LrsError {
  readonly kind = 'precondition-failed';
}

/** The request is larger than a setting permits. */
export class TooLargeError extends LrsError {
  readonly kind = 'too-large';
}

/** The service can't do it now, but may soon; the client should try again. */
export class UnavailableError extends LrsError {
  readonly kind = 'unavailable';
}
