import type { Part } from '../../http/multipart.ts';
import { type AttachmentPart, attachmentsOf } from '../../xapi/statement/attachments.ts';
import type { Statement } from '../../xapi/types.ts';

/** Parts with one hash that are kept: they have the same content, and differ in the type that they say. */
const mostOfHash = 100;

/** The contents of the attachments of a page of statements. Of the headers of their parts, only the hash and the type are kept. */
export class PageContents {
  readonly #byHash = new Map<string, AttachmentPart[]>();
  /** By the part as it came. */
  readonly #copies = new Map<AttachmentPart, AttachmentPart>();

  /** Of the parts with the same hash and type, the first one counts. */
  add({ headers, content }: Part): void {
    const sha2 = (headers['x-experience-api-hash'] ?? '').toLowerCase();
    const contentType = headers['content-type'];
    const same = this.#byHash.get(sha2) ?? [];
    if (same.length === 0) this.#byHash.set(sha2, same);
    if (same.length >= mostOfHash || same.some((part) => part.contentType === contentType)) return;
    same.push({ sha2, ...(contentType !== undefined && { contentType }), content });
  }

  /** Those that a statement describes, which is not checked yet. */
  of(statement: Statement | undefined): AttachmentPart[] {
    return [...hashesOf(statement)].flatMap((sha2) =>
      (this.#byHash.get(sha2) ?? []).map((part) => this.#copyOf(part)),
    );
  }

  /** A view would keep the whole page in memory for as long as a statement waits to be stored. */
  #copyOf(part: AttachmentPart): AttachmentPart {
    const copy = this.#copies.get(part) ?? { ...part, content: Buffer.from(part.content) };
    this.#copies.set(part, copy);
    return copy;
  }
}

function hashesOf(statement: Statement | undefined): ReadonlySet<string> {
  try {
    return new Set(statement && attachmentsOf(statement).map(({ sha2 }) => sha2.toLowerCase()));
  } catch {
    // Checking it says what is wrong with it.
    return new Set();
  }
}
