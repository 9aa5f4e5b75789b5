import { session } from '../session/store.ts';
import { addressOf, type Query } from './address.ts';
import { ConnectionError, errorOf } from './errors.ts';

export interface CallOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request to the service. @throws ApiError for an answer of 400 and above; ConnectionError without an answer. */
export async function send(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = 'GET', query, headers = {}, json, body, signal } = options;
  const content = json === undefined ? body : JSON.stringify(json);
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(addressOf(path, query), {
    method,
    headers: { ...type, ...headers },
    ...(content !== undefined && { body: content }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ConnectionError(error instanceof Error ? error.message : String(error));
  });
  if (response.status >= 400) throw await errorOf(response);
  return response;
}

/** Calls the administration interface as the account that is signed in; a token that no longer counts ends the session. */
export async function sendAdmin(path: string, options: CallOptions = {}): Promise<Response> {
  const token = session.token();
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  try {
    return await send(`admin/${path}`, { ...options, headers: { ...options.headers, ...authorization } });
  } catch (error) {
    session.noticeRefusal(error, token);
    throw error;
  }
}

/** The same, for an answer in JSON. The shape is the one that `/admin/openapi` describes. */
export async function callAdmin<T>(path: string, options: CallOptions = {}): Promise<T> {
  const response = await sendAdmin(path, options);
  return response.json();
}
