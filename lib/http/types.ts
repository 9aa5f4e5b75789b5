import type { BodyReader } from './body.ts';

/** The memory of one response, of which the responses of a process share a limited amount. */
export interface ResponseMemory {
  /** Says whose response it is, e.g. by the id of a key pair: one owner gets only a part of the memory. */
  readonly assignTo: (owner: string) => void;
  /** Whether the client has closed the connection, or its side of it, which looks the same: usually nobody reads the response. */
  readonly isAbandoned: () => boolean;
  /**
   * Counts the memory of a large response before its content is loaded, until it is sent, and its handler has ended.
   * @throws UnavailableError while other responses take the memory, and when the connection is closed.
   */
  readonly reserve: (bytes: number) => void;
  /**
   * The same for an export that is downloaded, of which there are only a few at the same time.
   * @throws UnavailableError while other exports or responses take the room.
   */
  readonly reserveExport: (bytes: number) => void;
}

/** What is measured of a request beside its route and its time. */
export interface Observation {
  /** The label of the key pair that it carries. */
  keyPair?: string;
  requestId?: string;
}

/** The one request model: whatever gateway a call comes through, this is what the handlers see. */
export interface HttpRequest {
  /** The id that the client, the gateway or this server gave it: part of the response, of the log and of the audit trail. */
  readonly requestId: string;
  /** Undefined while nothing is measured. */
  readonly observation: Observation | undefined;
  /** Upper case. */
  method: string;
  /** Percent-decoded path without a query, without a gateway's stage and without the store's, e.g. `/xapi/statements`. */
  path: string;
  /** The store that the path names, as it is written there; undefined when it names none. */
  store: string | undefined;
  /** The path as the client called it: percent-encoded, with a gateway's stage. Links to the same resource start with it. */
  externalPath: string;
  query: URLSearchParams;
  /** Names in lower case; repeated headers joined by `, `. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Empty while `readBody` is there. */
  body: Buffer;
  /** Reads a body that is still arriving; undefined when `body` is complete. */
  readBody: BodyReader | undefined;
  /** Undefined where memory is not shared with other requests. */
  responseMemory: ResponseMemory | undefined;
  /** Address of the client as the gateway saw it, for the log. */
  client: string | undefined;
  /** Whether it came by HTTPS, as the gateway saw it. */
  isSecure: boolean;
  /** Bytes of the largest answer that the gateway carries; infinite for one that takes an answer in pieces. */
  answerLimit: number;
}

export interface HttpResponse {
  statusCode: number;
  /** Names as they go out, e.g. `X-Experience-API-Version`. */
  headers: Record<string, string>;
  /** Text is sent as UTF-8; bytes go out unchanged through every gateway. */
  body?: string | Buffer;
  /** In place of `body`: what is made while it is sent, only for a request whose `answerLimit` is infinite. */
  stream?: AsyncIterable<Piece>;
}

/** Text, which is sent as UTF-8, or bytes. */
export type Piece = string | Uint8Array;
