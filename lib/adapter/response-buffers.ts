import type { ServerResponse } from 'node:http';
import { UnavailableError } from '../errors.ts';
import type { ResponseMemory } from '../http/types.ts';

export interface ResponseSettings {
  /** The most bytes, in the whole process, of responses that clients have not read yet. */
  readonly maxBufferedResponseBytes: number;
  /** Milliseconds in which a client must read some of a response; 0: no limit. */
  readonly writeTimeout: number;
  /** The most concurrent exports. */
  readonly maxConcurrentExports: number;
}

/** Milliseconds without progress after which a response may be aborted in favour of others. */
const stalledAfter = 2500;
const checkInterval = 1000;

/** The fraction of the memory for large responses of one owner, and the fraction that is reserved for small ones. */
const ownerPart = 5 / 8;
const smallPart = 1 / 8;
/** The size, in bytes, of the largest small response. */
const smallBytes = 256 * 1024;

/** The response that is sent when there is no memory. */
export function responsesExhausted(): UnavailableError {
  return new UnavailableError(
    'Other responses that clients have not read yet take the memory that webserver.maxBufferedResponseBytes (LRS_MAX_BUFFERED_RESPONSE_BYTES) permits for all, or for one key pair; try again in a moment.',
  );
}

function tooManyExports(): UnavailableError {
  return new UnavailableError(
    'As many exports are being downloaded as webserver.maxConcurrentExports (LRS_MAX_CONCURRENT_EXPORTS) permits; try again in a moment.',
  );
}

/** The memory of a response; it has no owner until one is assigned. */
export function memoryOf(response: ServerResponse, buffers: ResponseBuffers): ResponseMemory {
  return {
    assignTo: (owner) => buffers.assign(response, owner),
    isAbandoned: () => response.destroyed || response.req.socket.readableEnded,
    reserve(bytes) {
      if (response.destroyed) throw new UnavailableError('The client has closed the connection.');
      if (!buffers.admit(response, bytes)) throw responsesExhausted();
      buffers.beingMade(response);
    },
    reserveExport(bytes) {
      if (!buffers.admit(response, bytes)) throw responsesExhausted();
      if (!buffers.admitExport(response)) throw tooManyExports();
    },
  };
}

/** A response that a client has not read completely. */
interface Pending {
  readonly response: ServerResponse;
  readonly owner: string;
  bytes: number;
  /** Whether its handler is at work. */
  isBeingMade: boolean;
  /** When the client last read something, in milliseconds of a monotonic clock. */
  progressed: number;
}

/** Limits the memory of responses that clients do not read, and the time for which they may not. */
export class ResponseBuffers {
  readonly #settings: ResponseSettings;
  /** Ordered by progress, the one that has made none for the longest time first. */
  readonly #pending = new Map<ServerResponse, Pending>();
  readonly #owners = new WeakMap<ServerResponse, string>();
  readonly #bytesOf = new Map<string, number>();
  /** The pending exports. */
  readonly #exports = new Set<ServerResponse>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: ResponseSettings) {
    this.#settings = settings;
  }

  /** The bytes of all pending responses. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Call it when the handler of a response has ended: until then it counts, even if its client has gone before. */
  endHandler(response: ServerResponse): void {
    const pending = this.#pending.get(response);
    if (pending === undefined) return;
    pending.isBeingMade = false;
    if (response.destroyed) this.#remove(response);
  }

  /** Counts a response that is counted already until `endHandler`. */
  beingMade(response: ServerResponse): void {
    const pending = this.#pending.get(response);
    if (pending !== undefined) pending.isBeingMade = true;
  }

  /** Assigns the owner of a response before it is counted. */
  assign(response: ServerResponse, owner: string): void {
    this.#owners.set(response, owner);
  }

  /**
   * Counts a response until it is sent, or its connection and its handler have ended; a response that is counted already gets the
   * new size. If necessary, stalled connections are destroyed.
   * @returns whether the limits permit it; if not, nothing changes. A single response always fits.
   */
  admit(response: ServerResponse, bytes: number): boolean {
    const owner = this.#ownerOf(response);
    let exceeded = this.#exceeded(response, bytes);
    for (const { response: other, owner: otherOwner, progressed } of this.#pending.values()) {
      if (exceeded === undefined || other === response || performance.now() - progressed < stalledAfter)
        break;
      if (exceeded === 'part of the owner' && otherOwner !== owner) continue;
      this.#giveUp(other);
      exceeded = this.#exceeded(response, bytes);
    }
    if (exceeded !== undefined) return false;
    this.track(response, bytes);
    return true;
  }

  /**
   * Also counts an admitted response as an export. If necessary, stalled exports are aborted.
   * @returns whether the limit permits it.
   */
  admitExport(response: ServerResponse): boolean {
    const { maxConcurrentExports } = this.#settings;
    for (const { response: other, progressed } of this.#pending.values()) {
      if (this.#exports.size < maxConcurrentExports || performance.now() - progressed < stalledAfter) break;
      if (this.#exports.has(other)) this.#giveUp(other);
    }
    if (this.#exports.size >= maxConcurrentExports) return false;
    if (this.#pending.has(response)) this.#exports.add(response);
    return true;
  }

  #exceeded(response: ServerResponse, bytes: number): 'memory' | 'part of the owner' | undefined {
    const max = this.#settings.maxBufferedResponseBytes;
    const held = this.#pending.get(response)?.bytes ?? 0;
    const isSmall = bytes <= smallBytes;
    const others = this.#bytes - held;
    if (others > 0 && others + bytes > (isSmall ? max : max * (1 - smallPart))) return 'memory';
    const own = (this.#bytesOf.get(this.#ownerOf(response)) ?? 0) - held;
    return !isSmall && own > 0 && own + bytes > max * ownerPart ? 'part of the owner' : undefined;
  }

  #ownerOf(response: ServerResponse): string {
    return this.#pending.get(response)?.owner ?? this.#owners.get(response) ?? '';
  }

  #count(owner: string, bytes: number): void {
    this.#bytes += bytes;
    const all = (this.#bytesOf.get(owner) ?? 0) + bytes;
    if (all > 0) this.#bytesOf.set(owner, all);
    else this.#bytesOf.delete(owner);
  }

  /** Whether a response is counted. */
  has(response: ServerResponse): boolean {
    return this.#pending.has(response);
  }

  /** Counts a response even if it exceeds the limits. */
  track(response: ServerResponse, bytes: number): void {
    if (response.destroyed) return;
    const known = this.#pending.get(response);
    const owner = this.#ownerOf(response);
    this.#count(owner, bytes - (known?.bytes ?? 0));
    this.#pending.delete(response);
    const isBeingMade = known?.isBeingMade ?? false;
    this.#pending.set(response, { response, owner, bytes, isBeingMade, progressed: performance.now() });
    if (known !== undefined) return;
    response.once('close', () => {
      if (this.#pending.get(response)?.isBeingMade !== true) this.#remove(response);
    });
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
      // The client has read everything, so the delay is the server's.
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
    const pending = this.#pending.get(response);
    if (pending !== undefined) this.#count(pending.owner, -pending.bytes);
    this.#pending.delete(response);
    this.#exports.delete(response);
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
