import type { BodyReader } from './body.ts';

/**
 * Counts the memory of a large response before its content is loaded, until it is sent.
 * @throws UnavailableError while other responses take all memory.
 */
export type ResponseReservation = (bytes: number) => void;

/** The one request model: whatever gateway a call comes through, this is what the doors see. */
export interface HttpRequest {
  /** Upper case. */
  method: string;
  /** Percent-decoded path without a query and without a gateway's stage, e.g. `/xapi/statements`. */
  path: string;
  /** The path as the client called it: percent-encoded, with a gateway's stage. Links to the same resource start with it. */
  externalPath: string;
  query: URLSearchParams;
  /** Names in lower case; repeated headers joined by `, `. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Empty while `readBody` is there. */
  body: Buffer;
  /** Reads a body that is still arriving; undefined when `body` is complete. */
  readBody: BodyReader | undefined;
  /** To be called before the content of a large response is loaded; undefined where memory is not shared with other requests. */
  reserveResponse: ResponseReservation | undefined;
  /** Address of the client as the gateway saw it, for the log. */
  client: string | undefined;
  /** Bytes of the largest answer that the gateway carries; infinite for one that takes an answer in pieces. */
  answerLimit: number;
}

export interface HttpResponse {
  statusCode: number;
  /** Names as they go out, e.g. `X-Experience-API-Version`. */
  headers: Record<string, string>;
  /** Text is sent as UTF-8; bytes go out unchanged through every gateway. */
  body?: string | Buffer;
  /** In place of `body`: text that is made while it is sent, only for a request whose `answerLimit` is infinite. */
  stream?: AsyncIterable<string>;
}
