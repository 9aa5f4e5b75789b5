import { type Client, ClientTurns } from '../client-turns.ts';
import { InvalidError, UnavailableError } from '../errors.ts';
import type { ObjectStore, UploadedContent } from './types.ts';
import type { Upload } from './upload-store.ts';

/** Uploads that one request, and all requests together, ask the bucket for at the same time. */
const mostOfOne = 8;
const mostOfAll = 64;
/** Milliseconds after which no further uploads of one request are asked for. */
const longestCheck = 30_000;

/** Asks the bucket which uploads are complete. */
export class UploadChecks {
  readonly #objects: Pick<ObjectStore, 'uploaded'>;
  readonly #now: () => number;
  readonly #turns = new ClientTurns(mostOfAll);

  /** @param now milliseconds since the epoch. */
  constructor(objects: Pick<ObjectStore, 'uploaded'>, now: () => number) {
    this.#objects = objects;
    this.#now = now;
  }

  /**
   * The complete ones of a request, by hash.
   * @throws UnavailableError when the bucket does not answer, or too slowly for all; InvalidError when it has something else.
   */
  async complete(
    uploads: readonly Upload[],
    client?: Client,
  ): Promise<ReadonlyMap<string, readonly UploadedContent[]>> {
    const complete = new Map<string, UploadedContent[]>();
    const deadline = this.#now() + longestCheck;
    for (let start = 0; start < uploads.length; start += mostOfOne) {
      if (this.#now() > deadline) throw tooSlow(uploads.length);
      const slice = uploads.slice(start, start + mostOfOne);
      const found = await Promise.all(
        slice.map(({ objectId }) => this.#turns.run(client, () => this.#objects.uploaded(objectId))),
      );
      for (const [index, { expires, ...upload }] of slice.entries()) {
        const object = found[index];
        if (object === undefined) continue;
        requireSame(upload, object);
        complete.set(upload.sha2, [...(complete.get(upload.sha2) ?? []), upload]);
      }
    }
    return complete;
  }
}

const tooSlow = (uploads: number): UnavailableError =>
  new UnavailableError(
    `The store of attachments is too slow for a request that refers to ${uploads} uploads: send fewer at once, or try again.`,
  );

/** The store verifies both by the signature of the address already; nothing is taken on trust. */
function requireSame(
  upload: UploadedContent,
  { sha2, length }: { readonly sha2: string; readonly length: number },
): void {
  if (sha2 === upload.sha2 && length === upload.length) return;
  throw new InvalidError(
    `What was uploaded as attachment ${upload.sha2} has another hash or length than was announced: announce and upload it again.`,
  );
}
