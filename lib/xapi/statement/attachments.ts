import { createHash } from 'node:crypto';
import { InvalidError } from '../../errors.ts';
import { withoutParameters } from '../media-type.ts';
import type { Attachment, Statement } from '../types.ts';

/** The usage type of signatures (xAPI 1.0.3 Data 2.6). */
export const signatureUsage = 'http://adlnet.gov/expapi/attachments/signature';

/** The data of an attachment as a request brings it. */
export interface AttachmentPart {
  /** Hex digits of the SHA-2 hash that the request claims for the content. */
  readonly sha2: string;
  /** As the request says, if it does. */
  readonly contentType?: string;
  readonly content: Buffer;
}

/** Data that was sent before the request, to another place. */
export interface UploadedPart {
  readonly contentType: string;
  /** Bytes. */
  readonly length: number;
  readonly objectId: string;
}

/** The data of an attachment that a statement describes: bytes, or in `object` where else they lie. */
export interface MatchedContent extends Required<AttachmentPart> {
  readonly object?: { readonly objectId: string; readonly length: number };
}

/** The attachments that a statement describes: its own, then those of its SubStatement. */
export function attachmentsOf(statement: Statement): readonly Attachment[] {
  const own = statement.attachments ?? [];
  const { object } = statement;
  if (object.objectType !== 'SubStatement' || object.attachments === undefined) return own;
  return [...own, ...object.attachments];
}

/**
 * Matches the parts of a request to the attachments that its statements describe, by hash alone (xAPI 1.0.3 Communication
 * 1.5.2): first every part is added, then every statement. The work is linear in both, however many of them share a content.
 */
export class AttachmentMatcher {
  readonly #contents = new Map<string, Content>();
  readonly #matched = new Map<string, MatchedContent>();
  readonly #uploaded: ReadonlyMap<string, readonly UploadedPart[]> | undefined;

  /** @param uploaded by hash in lower case, as they were described; they count for attachments that no part belongs to. */
  constructor(uploaded?: ReadonlyMap<string, readonly UploadedPart[]>) {
    this.#uploaded = uploaded;
  }

  /** @throws InvalidError when the content of the part has another hash than the part claims. */
  addPart(part: AttachmentPart): void {
    const hash = verifiedHash(part);
    const content = this.#contents.get(hash);
    if (content === undefined) this.#contents.set(hash, new Content(part));
    else content.add(part);
  }

  /**
   * @param path how the client calls the statement, e.g. `statements[3]`.
   * @throws InvalidError when an attachment has no part, was not uploaded and has no `fileUrl`, or length or content type do
   * not fit.
   */
  addStatement(statement: Statement, path: string): void {
    for (const { attachment, path: place } of describedBy(statement, path)) {
      const sha2 = attachment.sha2.toLowerCase();
      const content = this.#contents.get(sha2);
      if (content === undefined) {
        const uploaded = this.#uploaded?.get(sha2);
        if (uploaded === undefined) requireFileUrl(attachment, place, this.#uploaded !== undefined);
        else {
          const fitting = fittingUpload(uploaded, attachment, place);
          if (!this.#matched.has(sha2)) this.#matched.set(sha2, { sha2, ...fitting });
        }
        continue;
      }
      const { contentType = attachment.contentType, content: bytes } = content.fitting(attachment, place);
      if (!this.#matched.has(sha2)) this.#matched.set(sha2, { sha2, contentType, content: bytes });
    }
  }

  /**
   * @returns each content once, `sha2` in lower case.
   * @throws InvalidError when no statement describes one of the parts.
   */
  matched(): MatchedContent[] {
    for (const hash of this.#contents.keys()) {
      if (this.#matched.has(hash)) continue;
      throw brokenPart(
        `with the hash ${hash} is not described by an attachment of any statement of the request`,
        'xAPI 1.0.3 Communication 1.5.2',
      );
    }
    return [...this.#matched.values()];
  }
}

const noBytes = Buffer.alloc(0);

function fittingUpload(
  uploads: readonly UploadedPart[],
  attachment: Attachment,
  path: string,
): Omit<MatchedContent, 'sha2'> {
  if (attachment.usageType === signatureUsage) {
    throw misfit(path, 'is a signature, which must come with its statement to be verified', 'Data 2.6');
  }
  const type = withoutParameters(attachment.contentType);
  const upload = uploads.find(({ contentType }) => withoutParameters(contentType) === type);
  if (upload === undefined) {
    throw misfit(path, 'has another contentType than its upload', 'Communication 1.5.2');
  }
  const { contentType, length, objectId } = upload;
  if (attachment.length !== length) {
    throw misfit(
      path,
      `has the length ${attachment.length}, but its upload has ${length} octets`,
      'Data 2.4.11',
    );
  }
  return { contentType, content: noBytes, object: { objectId, length } };
}

/** The parts that share one content, of each media type the first one. */
class Content {
  readonly #byType = new Map<string, AttachmentPart>();
  /** The first part that does not say its type: it fits every attachment that no earlier part fits. */
  #untyped: AttachmentPart | undefined;
  readonly #bytes: Buffer;
  #isHex: boolean | undefined;

  constructor(part: AttachmentPart) {
    this.#bytes = part.content;
    this.add(part);
  }

  add(part: AttachmentPart): void {
    if (this.#untyped !== undefined) return;
    if (part.contentType === undefined) {
      this.#untyped = part;
      return;
    }
    // Parameters may differ, as they do in the example of xAPI 1.0.3 Communication 1.5.2.
    const type = withoutParameters(part.contentType);
    if (!this.#byType.has(type)) this.#byType.set(type, part);
  }

  fitting(attachment: Attachment, path: string): AttachmentPart {
    const part = this.#byType.get(withoutParameters(attachment.contentType)) ?? this.#untyped;
    if (part === undefined) {
      throw misfit(path, 'has another contentType than its part', 'Communication 1.5.2');
    }
    if (!this.#hasLength(attachment.length)) {
      throw misfit(
        path,
        `has the length ${attachment.length}, but its part has ${this.#bytes.length} octets`,
        'Data 2.4.11',
      );
    }
    return part;
  }

  /**
   * `length` counts the octets of the data. Data that travels as hex digits may count what the digits stand for: the official
   * conformance suite sends a picture so and wants it accepted.
   */
  #hasLength(length: number): boolean {
    if (this.#bytes.length === length) return true;
    if (this.#bytes.length !== 2 * length) return false;
    this.#isHex ??= /^[0-9a-f]*$/i.test(this.#bytes.toString('latin1'));
    return this.#isHex;
  }
}

const noPart = 'has neither a fileUrl nor a part of the request with its hash';

/**
 * Checks a statement that came without any parts.
 * @param problem what is told of an attachment without a `fileUrl`.
 * @throws InvalidError when one of its attachments has no `fileUrl` (xAPI 1.0.3 Data 2.4.11).
 */
export function requireFileUrls(statement: Statement, path: string, problem = noPart): void {
  for (const { attachment, path: place } of describedBy(statement, path))
    if (attachment.fileUrl === undefined) throw misfit(place, problem, 'Communication 1.5.2');
}

interface Described {
  readonly attachment: Attachment;
  readonly path: string;
}

function describedBy({ attachments, object }: Statement, path: string): Described[] {
  return [
    ...located(attachments, path),
    ...located(object.objectType === 'SubStatement' ? object.attachments : [], `${path}.object`),
  ];
}

function located(attachments: readonly Attachment[] = [], path: string): Described[] {
  return attachments.map((attachment, index) => ({ attachment, path: `${path}.attachments[${index}]` }));
}

const algorithms: Readonly<Record<number, string>> = {
  56: 'sha224',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
};

function verifiedHash({ sha2, content }: AttachmentPart): string {
  const hash = sha2.toLowerCase();
  const algorithm = algorithms[hash.length];
  if (algorithm === undefined) {
    throw brokenPart(
      'must have as hash the hex digits of SHA-224, SHA-256, SHA-384 or SHA-512',
      'xAPI 1.0.3 Data 2.4.11',
    );
  }
  if (createHash(algorithm).update(content).digest('hex') !== hash) {
    throw brokenPart(`with the hash ${hash} has content with another hash`, 'xAPI 1.0.3 Communication 1.5.2');
  }
  return hash;
}

function requireFileUrl(attachment: Attachment, path: string, mayBeUploaded: boolean): void {
  if (attachment.fileUrl !== undefined) return;
  const upload = mayBeUploaded ? ', and these credentials have not uploaded it within a day' : '';
  throw misfit(path, `${noPart}${upload}`, 'Communication 1.5.2');
}

function misfit(path: string, problem: string, section: string): InvalidError {
  return new InvalidError(`The attachment ${path} ${problem} (xAPI 1.0.3 ${section}).`, {
    details: [{ path, message: problem, section: `xAPI 1.0.3 ${section}` }],
  });
}

function brokenPart(problem: string, section: string): InvalidError {
  return new InvalidError(`The part ${problem} (${section}).`, {
    details: [{ path: 'parts', message: problem, section }],
  });
}
