import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidError, RequestTimeoutError } from '../errors.ts';
import { type BodyLimit, type BodyTerms, bodiesExhausted, bodyTooLarge } from '../http/body.ts';
import { GrowingBuffer } from '../http/growing-buffer.ts';
import type { Reservation } from '../http/memory-budget.ts';
import type { Limits } from './limits.ts';

const none = Buffer.alloc(0);

/** A body up to this size that arrived together with its headers is in memory already, so refusing it saves nothing. */
const alwaysTaken = 16 * 1024;

/** Milliseconds in which a body must make progress. */
const progressPeriod = 15_000;

/** Whether the request has a body (RFC 9112 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

export interface RequestBodyOptions {
  readonly limits: Limits;
  /** Whether the client waits for 100 Continue before it sends the body (RFC 9110 10.1.1). */
  readonly expectsContinue: boolean;
}

/** The body of a request, which is read on demand. */
export class RequestBody {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: RequestBodyOptions;
  #reservation: Reservation | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, options: RequestBodyOptions) {
    this.#message = message;
    this.#response = response;
    this.#options = options;
  }

  /**
   * Reads the body; its memory is counted until `release`. Call it at most once.
   * @returns the body itself where it is short and has arrived.
   * @throws as `BodyReader` says.
   */
  read(terms: BodyTerms): Buffer | Promise<Buffer> {
    const { complete, readableLength } = this.#message;
    const isAtHand = complete && readableLength <= Math.min(alwaysTaken, terms.limit.bytes);
    if (!isAtHand) return this.#read(terms);
    this.#reservation = this.#options.limits.bodies.reserve(terms.authenticated);
    return this.#arrived(terms.limit, this.#reservation);
  }

  async #read({ limit, authenticated }: BodyTerms): Promise<Buffer> {
    const announced = Number(this.#message.headers['content-length'] ?? 0);
    if (announced > limit.bytes) throw bodyTooLarge(limit);
    this.#reservation = this.#options.limits.bodies.reserve(authenticated);
    if (this.#message.complete) return this.#arrived(limit, this.#reservation);
    if (this.#message.destroyed) throw brokenOff();
    if (this.#options.expectsContinue) this.#response.writeContinue();
    try {
      return await this.#arriving(limit, this.#reservation);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Releases the memory when the body is no longer used. */
  release(): void {
    this.#reservation?.release();
    this.#reservation = undefined;
  }

  #arrived(limit: BodyLimit, reservation: Reservation): Buffer {
    const length = this.#message.readableLength;
    if (length > limit.bytes) throw bodyTooLarge(limit);
    if (length <= alwaysTaken) reservation.force(length);
    else if (!reservation.resize(length)) throw bodiesExhausted();
    const body: Buffer | null = this.#message.read();
    return body ?? none;
  }

  #arriving(limit: BodyLimit, reservation: Reservation): Promise<Buffer> {
    const message = this.#message;
    const announced = Number(message.headers['content-length'] ?? limit.bytes);
    const collected = new GrowingBuffer(announced);
    return new Promise((resolve, reject) => {
      const take = (piece: Buffer): void => {
        if (collected.length + piece.length > limit.bytes) fail(bodyTooLarge(limit));
        else if (reservation.resize(collected.capacityWith(piece.length))) collected.append(piece);
        else fail(bodiesExhausted());
      };
      const complete = (): void => {
        stop();
        resolve(collected.content());
      };
      const fail = (error: Error): void => {
        stop();
        message.pause();
        reject(error);
      };
      // An aborted request emits this too; without an `error` listener there is no `error` event.
      const breakOff = (): void => fail(brokenOff());
      const endWatch = watchProgress(
        () => collected.length,
        this.#options.limits.minBodyBytesPerSecond,
        () => fail(new RequestTimeoutError('The request body arrives too slowly.')),
      );
      const stop = (): void => {
        endWatch();
        message.off('data', take).off('end', complete).off('close', breakOff);
      };
      message.on('data', take).on('end', complete).on('close', breakOff);
    });
  }
}

/**
 * Calls back when fewer bytes than the minimum rate arrive in a period.
 * @returns a function that ends the check.
 */
function watchProgress(length: () => number, bytesPerSecond: number, tooSlow: () => void): () => void {
  if (bytesPerSecond === 0) return () => {};
  let before = length();
  const timer = setInterval(() => {
    if (length() - before < (bytesPerSecond * progressPeriod) / 1000) tooSlow();
    before = length();
  }, progressPeriod);
  return () => clearInterval(timer);
}

function brokenOff(): InvalidError {
  return new InvalidError('The request body ended before its announced length.');
}
