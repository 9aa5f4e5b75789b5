import type { ServerResponse } from 'node:http';
import { UnavailableError } from '../errors.ts';

export interface ResponseSettings {
  /** Bytes of responses that clients have not taken yet, of the whole process. */
  readonly maxBufferedResponseBytes: number;
  /** Milliseconds in which a client has to take some of a response; 0: any time. */
  readonly writeTimeout: number;
}

/** Milliseconds without progress after which a response may be given up in favour of others. */
const stalledAfter = 2500;
const checkInterval = 1000;

/** In place of a response for which there is no memory. */
export function responsesExhausted(): UnavailableError {
  return new UnavailableError(
    'Other responses that clients have not read yet take all the memory that webserver.maxBufferedResponseBytes (LRS_MAX_BUFFERED_RESPONSE_BYTES) permits; try again in a moment.',
  );
}

/** A response that a client has not taken yet. */
interface Pending {
  readonly response: ServerResponse;
  bytes: number;
  /** When the client last took something; milliseconds since any moment. */
  progressed: number;
}

/** Bounds the memory of responses that clients do not read, and the time for which they may not. */
export class ResponseBuffers {
  readonly #settings: ResponseSettings;
  /** The one that has made no progress for longest comes first. */
  readonly #pending = new Map<ServerResponse, Pending>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: ResponseSettings) {
    this.#settings = settings;
  }

  /** Bytes of all responses that are pending. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Counts a response until it is sent or its connection ends; one that is counted already, with the new size. To make room,
   * connections that have stalled are destroyed.
   * @returns whether there is room; if not, it counts as before. A response that is alone has room whatever its size.
   */
  admit(response: ServerResponse, bytes: number): boolean {
    const max = this.#settings.maxBufferedResponseBytes;
    const held = this.#pending.get(response)?.bytes ?? 0;
    for (const { response: other, progressed } of this.#pending.values()) {
      const fits = this.#bytes - held + bytes <= max;
      if (fits || other === response || performance.now() - progressed < stalledAfter) break;
      this.#giveUp(other);
    }
    const others = this.#bytes - held;
    if (others > 0 && others + bytes > max) return false;
    this.track(response, bytes);
    return true;
  }

  /** Whether a response is counted. */
  has(response: ServerResponse): boolean {
    return this.#pending.has(response);
  }

  /** Counts a response whether or not there is room. */
  track(response: ServerResponse, bytes: number): void {
    if (response.destroyed) return;
    const known = this.#pending.get(response);
    this.#bytes += bytes - (known?.bytes ?? 0);
    this.#pending.delete(response);
    this.#pending.set(response, { response, bytes, progressed: performance.now() });
    if (known !== undefined) return;
    response.once('close', () => this.#remove(response));
    response.on('drain', () => this.#progress(response));
    this.#timer ??= setInterval(() => this.#check(), checkInterval).unref();
  }

  #progress(response: ServerResponse): void {
    const pending = this.#pending.get(response);
    if (pending === undefined) return;
    pending.progressed = performance.now();
    this.#pending.delete(response);
    this.#pending.set(response, pending);
  }

  #check(): void {
    const { writeTimeout } = this.#settings;
    const deadline = performance.now() - writeTimeout;
    for (const { response, progressed } of [...this.#pending.values()]) {
      // While nothing waits for the client, it is the server that takes its time.
      if ((response.socket?.writableLength ?? 0) === 0) this.#progress(response);
      else if (writeTimeout > 0 && progressed < deadline) this.#giveUp(response);
    }
  }

  #giveUp(response: ServerResponse): void {
    this.#remove(response);
    response.socket?.destroy();
    response.destroy();
  }

  #remove(response: ServerResponse): void {
    this.#bytes -= this.#pending.get(response)?.bytes ?? 0;
    this.#pending.delete(response);
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
