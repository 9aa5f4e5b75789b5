import type { ContentStore } from '../attachments/types.ts';
import { UnavailableError } from '../errors.ts';
import type { Interner } from '../json/interner.ts';
import { traced } from '../telemetry/trace.ts';
import type { StatementWriter, Submitted } from './commit/statement-writer.ts';
import type { AdmissionControl } from './ingest/admission-control.ts';
import { prepareBatch } from './ingest/prepare.ts';
import { readDelivery } from './ingest/receive.ts';
import type { Delivery, StatementBatch } from './types.ts';
import type { PreparedBatch } from './within.ts';

export interface StatementReceiverOptions {
  readonly admission: AdmissionControl;
  readonly contents: Pick<ContentStore, 'reserve'>;
  readonly writer: StatementWriter;
  readonly interner: Interner;
  /** The most bytes of bodies that wait for what is said of their uploads. */
  readonly waitingBytes: number;
}

/** Milliseconds after which the credentials of a body that had to wait may not be valid any more. */
const longWait = 1000;

interface Attempt {
  readonly bytes: number;
  /** When the request began, by `performance.now()`. */
  readonly start: number;
  /** Whether its memory is reserved by the bucket's budget. */
  readonly isReserved: boolean;
}

/**
 * Takes in the statements of requests: each is admitted, read, prepared and committed. No other request waits in admission control
 * while the store of attachments is asked.
 */
export class StatementReceiver {
  readonly #options: StatementReceiverOptions;
  /** Bytes of bodies that wait for what is said of their uploads. */
  #asking = 0;

  constructor(options: StatementReceiverOptions) {
    this.#options = options;
  }

  /** Resolves after the commit. */
  async receive(delivery: Delivery): Promise<Submitted> {
    const { uploaded } = delivery;
    const start = performance.now();
    if (uploaded === undefined) return submitted(await this.#attempt(delivery, start));
    const result = await this.#attempt({ ...delivery, uploaded: onlyForNone(uploaded) }, start);
    if (!(result instanceof UploadsNeeded)) return result;
    const uploads = await this.#ask(uploaded, result.hashes, bytesOf(delivery));
    // Everything has been found valid already.
    const { onValid: _, ...again } = delivery;
    return submitted(await this.#attempt({ ...again, uploaded: async () => uploads }, start));
  }

  /** What reading leaves behind is garbage when this returns, because many prepared requests may wait to be written. */
  async readAndPrepare(delivery: Delivery): Promise<PreparedBatch> {
    return this.prepare(await readDelivery(delivery, this.#options.interner));
  }

  async prepare(batch: StatementBatch): Promise<PreparedBatch> {
    const { trees } = this.#options.interner;
    return { statements: await prepareBatch(batch, trees), contents: batch.attachments };
  }

  /** Contents for another store have a memory budget of their own, which is reserved until they are committed or refused. */
  async #attempt(delivery: Delivery, start: number): Promise<Submitted | UploadsNeeded> {
    const { parts, client } = delivery;
    const bytes = bytesOf(delivery);
    const contents = parts.map(({ content }) => content);
    const reserving = this.#options.contents.reserve(contents, bytes, client);
    if (reserving === undefined) return this.#admitted(delivery, { bytes, start, isReserved: false });
    const release = await reserving;
    try {
      return await this.#admitted(delivery, { bytes, start, isReserved: true });
    } finally {
      release();
    }
  }

  /** The memory is reserved until the statements are committed or refused, if it is not reserved already. */
  async #admitted(
    delivery: Delivery,
    { bytes, start, isReserved }: Attempt,
  ): Promise<Submitted | UploadsNeeded> {
    const { admission, writer } = this.#options;
    const place = await traced('admission', admission.enter(bytes, delivery.client));
    let hasLeft = false;
    const leave = (): void => {
      if (!hasLeft) place.leave();
      hasLeft = true;
    };
    try {
      if (performance.now() - start > longWait) await delivery.authenticateAgain?.();
      const request = await traced('prepare', this.#readUntilNeeded(delivery));
      if (request instanceof UploadsNeeded) return request;
      if (isReserved) leave();
      else place.endReading();
      return await traced('commit', writer.submit(request));
    } finally {
      leave();
    }
  }

  async #readUntilNeeded(delivery: Delivery): Promise<PreparedBatch | UploadsNeeded> {
    try {
      return await this.readAndPrepare(delivery);
    } catch (error) {
      if (error instanceof UploadsNeeded) return error;
      throw error;
    }
  }

  /** Only the body is in memory meanwhile. */
  async #ask(uploaded: Uploaded, hashes: readonly string[], bytes: number) {
    if (this.#asking > 0 && this.#asking + bytes > this.#options.waitingBytes) {
      throw new UnavailableError('Too many statements are waiting to be stored; try again in a moment.');
    }
    this.#asking += bytes;
    try {
      return await traced('uploads', uploaded(hashes));
    } finally {
      this.#asking -= bytes;
    }
  }
}

type Uploaded = NonNullable<Delivery['uploaded']>;

/** Ends the reading of statements that refer to uploads: they are read again when these are known. */
class UploadsNeeded extends Error {
  readonly hashes: readonly string[];

  constructor(hashes: readonly string[]) {
    super('The statements refer to uploads.');
    this.hashes = hashes;
  }
}

/** @throws UploadsNeeded for any hash. */
function onlyForNone(uploaded: Uploaded): Uploaded {
  return async (hashes) => {
    if (hashes.length > 0) throw new UploadsNeeded(hashes);
    return uploaded(hashes);
  };
}

function submitted(result: Submitted | UploadsNeeded): Submitted {
  if (result instanceof UploadsNeeded) throw result;
  return result;
}

/** Of the whole body: contents are hashed, and signatures parsed as statements are. */
function bytesOf({ json, parts }: Delivery): number {
  return parts.reduce((sum, { content }) => sum + content.length, json.length);
}
