/** A place in what was sent and the rule that it breaks. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  readonly section?: string;
  /** The stable name of the rule, where it has one, as those of rulesets do. */
  readonly rule?: string;
}

/** An answer of 400 and above, in the server's words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  /** Seconds after which the server wants to be asked again; undefined when it does not say. */
  readonly retryAfter: number | undefined;
  /** Whether the request only read. */
  readonly isRead: boolean;

  constructor(status: number, body: ErrorBody, { retryAfter, isRead = false }: RequestFacts = {}) {
    super(body.error);
    this.status = status;
    this.code = body.code ?? '';
    this.details = body.details ?? [];
    this.retryAfter = retryAfter;
    this.isRead = isRead;
  }

  /** The same refusal with some of its details. */
  with(details: readonly ErrorDetail[]): ApiError {
    const { status, message, code, ...facts } = this;
    return new ApiError(status, { error: message, code, details }, facts);
  }
}

interface RequestFacts {
  readonly retryAfter?: number | undefined;
  readonly isRead?: boolean;
}

/** No answer at all: the network or the server is away. */
export class ConnectionError extends Error {
  /** Whether it was a read: nothing can have changed, and it is safe to ask again. */
  readonly isRead: boolean;

  constructor(message: string, isRead = false) {
    super(message);
    this.isRead = isRead;
  }
}

interface ErrorBody {
  readonly error: string;
  readonly code?: string;
  readonly details?: readonly ErrorDetail[];
}

/** The error that an answer tells. Something between here and the server may answer in another form. */
export async function errorOf(response: Response, isRead: boolean): Promise<ApiError> {
  const text = await response.text();
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(response.status, bodyOf(text, response), {
    retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
    isRead,
  });
}

function bodyOf(text: string, { status, statusText }: Response): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    if (isErrorBody(body)) return body;
  } catch {
    // Told below as it is.
  }
  return { error: text.slice(0, 500) || statusText || `HTTP ${status}` };
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';
}
