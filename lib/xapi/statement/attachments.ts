import { createHash } from 'node:crypto';
import { InvalidError } from '../../errors.ts';
import { withoutParameters } from '../media-type.ts';
import type { Attachment, Statement } from '../types.ts';

/** The data of an attachment as a request brings it. */
export interface AttachmentPart {
  /** Hex digits of the SHA-2 hash that the request claims for the content. */
  readonly sha2: string;
  /** As the request says, if it does. */
  readonly contentType?: string;
  readonly content: Buffer;
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
 * 1.5.2).
 * @returns each content once, `sha2` in lower case.
 * @throws InvalidError when no statement describes a part, when an attachment has neither a part nor a `fileUrl`, or when
 *   hash, length or content type do not fit.
 */
export function matchAttachments(
  statements: readonly Statement[],
  parts: readonly AttachmentPart[],
): Required<AttachmentPart>[] {
  const partsByHash = new Map<string, AttachmentPart[]>();
  for (const part of parts) {
    const hash = verifiedHash(part);
    partsByHash.set(hash, [...(partsByHash.get(hash) ?? []), part]);
  }
  const matched = new Map<string, Required<AttachmentPart>>();
  const places = statements.map((_, index) =>
    statements.length === 1 ? 'statement' : `statements[${index}]`,
  );
  const described = statements.flatMap((statement, index) => describedBy(statement, places[index] ?? ''));
  for (const { attachment, path } of described) {
    const sha2 = attachment.sha2.toLowerCase();
    const candidates = partsByHash.get(sha2);
    if (candidates === undefined) {
      requireFileUrl(attachment, path);
      continue;
    }
    const { contentType = attachment.contentType, content } = fittingPart(attachment, path, candidates);
    if (!matched.has(sha2)) matched.set(sha2, { sha2, contentType, content });
  }
  for (const hash of partsByHash.keys()) {
    if (matched.has(hash)) continue;
    throw brokenPart(
      `with the hash ${hash} is not described by an attachment of any statement of the request`,
      'xAPI 1.0.3 Communication 1.5.2',
    );
  }
  return [...matched.values()];
}

/**
 * Checks a statement that came without any parts.
 * @throws InvalidError when one of its attachments has no `fileUrl` (xAPI 1.0.3 Data 2.4.11).
 */
export function requireFileUrls(statement: Statement, path: string): void {
  for (const { attachment, path: place } of describedBy(statement, path)) requireFileUrl(attachment, place);
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

function requireFileUrl(attachment: Attachment, path: string): void {
  if (attachment.fileUrl !== undefined) return;
  throw misfit(path, 'has neither a fileUrl nor a part of the request with its hash', 'Communication 1.5.2');
}

function fittingPart(
  attachment: Attachment,
  path: string,
  candidates: readonly AttachmentPart[],
): AttachmentPart {
  const part = candidates.find(({ contentType }) => sameMediaType(contentType, attachment.contentType));
  if (part === undefined) {
    throw misfit(path, 'has another contentType than its part', 'Communication 1.5.2');
  }
  if (!hasLength(part.content, attachment.length)) {
    throw misfit(
      path,
      `has the length ${attachment.length}, but its part has ${part.content.length} octets`,
      'Data 2.4.11',
    );
  }
  return part;
}

/** Parameters may differ, as they do in the example of xAPI 1.0.3 Communication 1.5.2. */
function sameMediaType(claimed: string | undefined, described: string): boolean {
  return claimed === undefined || withoutParameters(claimed) === withoutParameters(described);
}

/**
 * `length` counts the octets of the data. Data that travels as hex digits may count what the digits stand for: the official
 * conformance suite sends a picture so and wants it accepted.
 */
function hasLength(content: Buffer, length: number): boolean {
  if (content.length === length) return true;
  return content.length === 2 * length && /^[0-9a-f]*$/i.test(content.toString('latin1'));
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
