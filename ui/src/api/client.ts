import { addressOf, type Query } from './address.ts';
import { connection } from './connection.ts';
import { ConnectionError, errorOf } from './errors.ts';
import { session } from './session.ts';

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
  const init = {
    method,
    headers: { ...type, ...headers },
    ...(content !== undefined && { body: content }),
    ...(signal !== undefined && { signal }),
  };
  const isRead = method === 'GET' || method === 'HEAD';
  const response = await (isRead
    ? read(addressOf(path, query), init)
    : fetch(addressOf(path, query), init)
  ).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    if (isRead) connection.failed();
    throw new ConnectionError(error instanceof Error ? error.message : String(error), isRead);
  });
  connection.answered();
  if (response.status >= 400) throw await errorOf(response, isRead);
  return response;
}

/** Milliseconds after which a read without an answer is given up; a body may take longer. */
const longestRead = 30_000;

/** Fetches what only reads: it is quick, so a server that does not answer is noticed. */
async function read(address: string, init: RequestInit): Promise<Response> {
  const giveUp = new AbortController();
  const { signal } = init;
  const cancel = () => giveUp.abort(signal?.reason);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const timer = window.setTimeout(
    () => giveUp.abort(new Error(`No answer in ${longestRead / 1000} s`)),
    longestRead,
  );
  const ended = connection.began();
  try {
    return await fetch(address, { ...init, signal: giveUp.signal });
  } finally {
    window.clearTimeout(timer);
    ended();
  }
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
