import type { ServerResponse } from 'node:http';
import { UnavailableError } from '../errors.ts';
import type { ResponseMemory } from '../http/types.ts';

export interface ResponseSettings {
  /** Bytes of responses that clients have not taken yet, of the whole process. */
  readonly maxBufferedResponseBytes: number;
  /** Milliseconds in which a client has to take some of a response; 0: any time. */
  readonly writeTimeout: number;
  /** How many CSV exports are sent at the same time. */
  readonly maxConcurrentExports: number;
}

/** Milliseconds without progress after which a response may be given up in favour of others. */
const stalledAfter = 2500;
const checkInterval = 1000;

/** The part of the memory that large responses to one owner may take, and the part that they all leave to small ones. */
const ownerPart = 5 / 8;
const smallPart = 1 / 8;
/** Bytes of the largest response that is small. */
const smallBytes = 256 * 1024;

/** In place of a response for which there is no memory. */
export function responsesExhausted(): UnavailableError {
  return new UnavailableError(
    'Other responses that clients have not read yet take the memory that webserver.maxBufferedResponseBytes (LRS_MAX_BUFFERED_RESPONSE_BYTES) permits for all, or for one key pair; try again in a moment.',
  );
}

function tooManyExports(): UnavailableError {
  return new UnavailableError(
    'As many CSV exports are being downloaded as webserver.maxConcurrentExports (LRS_MAX_CONCURRENT_EXPORTS) permits; try again in a moment.',
  );
}

/** The memory of a response, which nobody owns before it is assigned to somebody. */
export function memoryOf(response: ServerResponse, buffers: ResponseBuffers): ResponseMemory {
  return {
    assignTo: (owner) => buffers.assign(response, owner),
    reserve(bytes) {
      if (!buffers.admit(response, bytes)) throw responsesExhausted();
    },
    reserveExport(bytes) {
      if (!buffers.admit(response, bytes)) throw responsesExhausted();
      if (!buffers.admitExport(response)) throw tooManyExports();
    },
  };
}

/** A response that a client has not taken yet. */
interface Pending {
  readonly response: ServerResponse;
  readonly owner: string;
  bytes: number;
  /** When the client last took something; milliseconds since any moment. */
  progressed: number;
}

/** Bounds the memory of responses that clients do not read, and the time for which they may not. */
export class ResponseBuffers {
  readonly #settings: ResponseSettings;
  /** The one that has made no progress for longest comes first. */
  readonly #pending = new Map<ServerResponse, Pending>();
  readonly #owners = new WeakMap<ServerResponse, string>();
  readonly #bytesOf = new Map<string, number>();
  /** Those that are CSV exports. */
  readonly #exports = new Set<ServerResponse>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: ResponseSettings) {
    this.#settings = settings;
  }

  /** Bytes of all responses that are pending. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Says whose response it is, before it is counted. */
  assign(response: ServerResponse, owner: string): void {
    this.#owners.set(response, owner);
  }

  /**
   * Counts a response until it is sent or its connection ends; one that is counted already, with the new size. To make room,
   * connections that have stalled are destroyed.
   * @returns whether there is room; if not, it counts as before. A response that is alone has room whatever its size.
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
   * Counts an admitted response as an export too. To make room, exports that have stalled are ended.
   * @returns whether there is room.
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

  /** Counts a response whether or not there is room. */
  track(response: ServerResponse, bytes: number): void {
    if (response.destroyed) return;
    const known = this.#pending.get(response);
    const owner = this.#ownerOf(response);
    this.#count(owner, bytes - (known?.bytes ?? 0));
    this.#pending.delete(response);
    this.#pending.set(response, { response, owner, bytes, progressed: performance.now() });
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
    const pending = this.#pending.get(response);
    if (pending !== undefined) this.#count(pending.owner, -pending.bytes);
    this.#pending.delete(response);
    this.#exports.delete(response);
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
