import type { BodyReader } from '../body.ts';
import type { HttpResponse, ResponseMemory } from '../types.ts';

/** A request as a gateway hands it over: nothing of it is percent-decoded or checked yet. */
export interface RawRequest {
  readonly method: string;
  /** Percent-encoded, without the gateway's stage. */
  readonly path: string;
  /** Percent-encoded, as the client called it. */
  readonly externalPath: string;
  /** The query string as it was sent, or, from gateways that keep it to themselves, its decoded pairs. */
  readonly query: string | readonly [string, string][];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Reads a body that is still arriving; `body` is empty then. */
  readonly readBody?: BodyReader | undefined;
  readonly responseMemory?: ResponseMemory | undefined;
  readonly client: string | undefined;
  /** Whether the gateway got it encrypted. */
  readonly isSecure: boolean;
  /** Bytes; `HttpRequest` says more. */
  readonly answerLimit: number;
}

/** What Lambda gives back at most is 6 MB, in which a long text is base64. */
export const lambdaAnswerLimit = 4_400_000;

/** One kind of event: how a request is read from it and how the answer to it looks. Both are pure functions. */
export interface Gateway<Event, Result> {
  read(event: Event): RawRequest;
  write(response: HttpResponse): Result;
}

const noBody = Buffer.alloc(0);

/** The bytes of an event's body, whatever its content type says. */
export function bodyBytes(body: string | null | undefined, isBase64Encoded: boolean | undefined): Buffer {
  if (body === null || body === undefined || body === '') return noBody;
  return Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
}

/** The body of a result: text as it is, bytes in base64. */
export function bodyText(body: string | Buffer | undefined): { body: string; isBase64Encoded: boolean } {
  if (typeof body === 'object') return { body: body.toString('base64'), isBase64Encoded: true };
  return { body: body ?? '', isBase64Encoded: false };
}

/** Headers with their names in lower case; the same object when they are so already. */
export function lowerCaseHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  for (const name in headers) {
    if (name !== name.toLowerCase()) {
      return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
    }
  }
  return headers;
}

/** Multi-value headers as single ones: names in lower case, values joined by `, ` (RFC 9110 5.3). */
export function joinHeaders(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const [name, values] of Object.entries(headers)) {
    if (values !== undefined) joined[name.toLowerCase()] = values.join(', ');
  }
  return joined;
}
