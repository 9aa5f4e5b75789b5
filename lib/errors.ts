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
  /** The stable name of the rule, where it has one, such as `type` for a value of the wrong type in a ruleset. */
  readonly rule?: string;
}

export interface LrsErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
}

/**
 * Every `code` of an error answer: what it means and what a client can do. The names are stable; `docs/errors.md` is
 * written from here, so both texts are for users.
 */
export const errorCodes = {
  invalid: {
    meaning: 'The request breaks a rule. `error` and `details` name the place and the rule.',
    remedy: 'Correct the request; sending it again unchanged gives the same answer.',
  },
  unauthenticated: {
    meaning: 'There are no credentials, or they match nobody, or the token has expired or was revoked.',
    remedy: 'Log in again, or check the key pair. `WWW-Authenticate` names the scheme.',
  },
  forbidden: {
    meaning: 'The credentials are good, but do not permit this; or the origin of the page is not allowed.',
    remedy: 'Use a key pair with more scopes, or have the setting changed that `error` names.',
  },
  'not-found': {
    meaning: 'What was asked for does not exist, or is switched off, or not part of this release.',
    remedy:
      'Check path and ids; `error` names the setting of a feature, and says when this release does not have it.',
  },
  'method-not-allowed': {
    meaning: 'The path exists, but does not answer this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  'request-timeout': {
    meaning: 'The request did not arrive in time.',
    remedy: 'Send it again, faster.',
  },
  conflict: {
    meaning:
      'The request contradicts what is stored: an account with the user name exists, the id has other content, or there are as many accounts, key pairs or announced attachments as a setting permits. A title of a reaction that is taken, and too many reactions, are `invalid`.',
    remedy: 'Read what is stored, then decide; a document is changed with `If-Match`.',
  },
  'precondition-failed': {
    meaning:
      'The condition in `If-Match` or `If-None-Match` does not hold; or a reaction was changed after `expectedModified`.',
    remedy:
      'Read the document or the reaction again and repeat the change with its present `ETag` or `modified`.',
  },
  'too-large': {
    meaning:
      'The request body, a statement in it, or the document that it would make, is larger than a setting permits.',
    remedy: 'Send less at once, or have the setting raised that `error` names.',
  },
  'unsupported-media-type': {
    meaning: 'The request body is compressed (`Content-Encoding`), which the server does not read.',
    remedy: 'Send the body as it is.',
  },
  'headers-too-large': {
    meaning: 'The request line and the headers are too large, or there are 1,000 headers or more.',
    remedy: 'Send a long query as a form (the alternate request syntax of xAPI 1.0.3).',
  },
  'too-many-requests': {
    meaning:
      'Too many wrong passwords were tried, or a key pair or a client sends more requests than a setting permits.',
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  internal: {
    meaning: 'The server failed; the reason is in its log and nowhere else.',
    remedy: 'Try again later, and tell who runs the server when it happens.',
  },
  'not-implemented': {
    meaning: 'The request has a `Transfer-Encoding` other than `chunked`.',
    remedy: 'Send the body in chunks or with its length; the connection is closed.',
  },
  unavailable: {
    meaning: 'The server cannot do it now, for instance because its database does not answer.',
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly remedy: string }>>;

export type ErrorCode = keyof typeof errorCodes;

/** `Object.keys` forgets the type, which is exact here: the table is a constant. */
export const errorCodeNames = Object.keys(errorCodes) as readonly ErrorCode[];

/** The codes of errors that are thrown; the others are for what fails without one. */
export type LrsErrorKind = Exclude<ErrorCode, 'internal' | 'headers-too-large' | 'not-implemented'>;

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

/** A content was not stored because malware was found in it. */
export class MalwareError extends InvalidError {}

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

/** The request arrives too slowly. */
export class RequestTimeoutError extends LrsError {
  readonly kind = 'request-timeout';
}

/** The request is larger than a setting permits. */
export class TooLargeError extends LrsError {
  readonly kind = 'too-large';
}

/** The request body is encoded in a way that the server does not read. */
export class UnsupportedMediaTypeError extends LrsError {
  readonly kind = 'unsupported-media-type';
}

/** It was asked for too often; it is refused unseen for so many seconds. */
export class TooManyRequestsError extends LrsError {
  readonly kind = 'too-many-requests';
  readonly retryAfter: number;
  /** The setting of the limit, e.g. `rateLimitPerKeyPair`; undefined when it is none. */
  readonly setting: string | undefined;

  constructor(message: string, retryAfter: number, setting?: string) {
    super(message);
    this.retryAfter = retryAfter;
    this.setting = setting;
  }
}

/** The service can't do it now, but may soon; the client should try again. */
export class UnavailableError extends LrsError {
  readonly kind = 'unavailable';
}

/** The operator has switched off what is asked for, for a while. */
export class MaintenanceError extends UnavailableError {}

/** The database has ended a statement that took too long: `dbTransactionTimeout`. */
export class StatementTimeoutError extends UnavailableError {}

/** The database can be read, and stores nothing. */
export class StorageFailureError extends UnavailableError {}

/**
 * An outage that ends only when somebody acts. Its beginning and its end are logged once (`MonitoredDatabase`), and not with
 * every request that fails because of it.
 */
export class OutageError extends UnavailableError {
  /** What the log says when it begins. */
  readonly begins: string = 'the database is out of reach; requests that need it are answered 503';
  /** What the log says when it has ended. */
  readonly ends: string = 'the database is within reach again';
}

/** The outage because of which something failed, if there is one: the error itself or one of its causes. */
export function outageOf(error: unknown): OutageError | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof OutageError ? error : outageOf(error.cause);
}

/** What Node.js names an error of its own by, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
