import { isUint8Array } from 'node:util/types';
import { InvalidError } from '../../errors.ts';
import { Pauses } from '../../in-turns.ts';
import { type BodyTerms, bodiesExhausted, bodyTooLarge } from '../body.ts';
import { GrowingBuffer } from '../growing-buffer.ts';
import type { MemoryBudget, Reservation } from '../memory-budget.ts';

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The body of a request of the Fetch API, which is read on demand. */
export class FetchBody {
  readonly #request: Request;
  readonly #stream: ReadableStream<Uint8Array>;
  readonly #bodies: MemoryBudget;
  #reservation: Reservation | undefined;

  /** @param stream `request.body`. */
  constructor(request: Request, stream: ReadableStream<Uint8Array>, bodies: MemoryBudget) {
    this.#request = request;
    this.#stream = stream;
    this.#bodies = bodies;
  }

  /**
   * Reads the body; its memory is counted until `release`. Call it at most once.
   * @throws as `BodyReader` says.
   */
  async read(terms: BodyTerms): Promise<Buffer> {
    const { signal, bodyUsed } = this.#request;
    if (bodyUsed || this.#stream.locked)
      throw new InvalidError('The request body was read before the request was given to the LRS.');
    const reader = this.#stream.getReader();
    // A stream that fails to end, or takes long to, does not change the answer.
    const end = (): void => void reader.cancel().catch(() => {});
    // A read that waits ends with it.
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      const body = await this.#collect(reader, terms);
      if (signal.aborted) throw new InvalidError('The request was aborted before its body had arrived.');
      return body;
    } catch (error) {
      end();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Releases the memory when the body is no longer used. */
  release(): void {
    this.#reservation?.release();
    this.#reservation = undefined;
  }

  /** A stream whose pieces are at hand never waits for the event loop, so the pauses let other requests run. */
  async #collect(reader: Reader, { limit, authenticated }: BodyTerms): Promise<Buffer> {
    const announced = lengthIn(this.#request.headers.get('content-length')) ?? limit.bytes;
    if (announced > limit.bytes) throw bodyTooLarge(limit);
    const collected = new GrowingBuffer(announced);
    const reservation = this.#bodies.reserve(authenticated);
    this.#reservation = reservation;
    const pauses = new Pauses();
    for (let piece = await next(reader); piece !== undefined; piece = await next(reader)) {
      if (collected.length + piece.length > limit.bytes) throw bodyTooLarge(limit);
      if (!reservation.resize(collected.capacityWith(piece.length))) throw bodiesExhausted();
      collected.append(piece);
      const pause = pauses.pause();
      if (pause !== undefined) await pause;
    }
    return collected.content();
  }
}

/** undefined where there is none, or something else than a number, which a platform lets pass: what arrives is counted anyway. */
function lengthIn(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

/** The next piece; undefined at the end. A stream that a program makes may give anything. */
async function next(reader: Reader): Promise<Uint8Array | undefined> {
  const { done, value } = await reader.read().catch(() => {
    throw new InvalidError('The request body ended before its end was announced.');
  });
  if (done) return undefined;
  if (!isUint8Array(value)) throw new InvalidError('The request body contains something else than bytes.');
  return value;
}
