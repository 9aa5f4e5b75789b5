import { InvalidError, TooLargeError } from '../errors.ts';
import type { JsonChecker, MemberText } from '../json/checker.ts';
import { withoutParameters } from '../xapi/media-type.ts';
import type { DocumentContent, DocumentLimits } from './types.ts';

const section = 'xAPI 1.0.3 Communication 2.2';
const unmergeable = { details: [{ path: 'document', message: 'is stored and no JSON object', section }] };
const advice = `PUT replaces it as a whole (${section}).`;

/** The members of a JSON object by name, each as it is written, in their order. */
export type Members = Map<string, MemberText>;

export function isJson({ contentType }: Pick<DocumentContent, 'contentType'>): boolean {
  return withoutParameters(contentType) === 'application/json';
}

/**
 * The members of a document that was scanned.
 * @throws InvalidError when it is no JSON object; TooLargeError when it has too many members.
 */
export function membersOf({ members, tooManyMembers }: JsonChecker, { maxMembers }: DocumentLimits): Members {
  if (tooManyMembers) throw tooManyFor(maxMembers);
  if (members !== undefined) return members;
  throw new InvalidError(
    `A document that is posted as application/json must be a JSON object (${section}).`,
    { details: [{ path: 'document', message: 'must be a JSON object', section }] },
  );
}

/** @throws TooLargeError for a document of more bytes than the limits permit. */
export function requireSize(bytes: number, { maxBytes }: DocumentLimits): void {
  if (bytes <= maxBytes) return;
  throw new TooLargeError(
    `The document would have ${bytes} bytes, but no more than the ${maxBytes} that lrs.documentMaxBytes (LRS_DOCUMENT_MAX_BYTES) permits can be stored. Nothing has been changed.`,
    { details: [{ path: 'document', message: `must not have more than ${maxBytes} bytes` }] },
  );
}

function tooManyFor(maxMembers: number): TooLargeError {
  return new TooLargeError(
    `Only documents with at most the ${maxMembers} properties that lrs.documentMaxMembers (LRS_DOCUMENT_MAX_MEMBERS) permits can be merged. Nothing has been changed.`,
    { details: [{ path: 'document', message: `must not have more than ${maxMembers} properties` }] },
  );
}

/**
 * A JSON object that others are merged into, member by member, as texts: none of them is parsed, so whatever a member holds
 * is kept as it was written.
 */
export class MergedObject {
  readonly #members: Members;
  #bytes = 0;

  /** @param members will be changed. */
  constructor(members: Members) {
    this.#members = members;
    for (const piece of members.values()) this.#bytes += lengthOf(piece);
  }

  /**
   * Sets every property of a posted object; what they contain is not merged.
   * @throws TooLargeError when the result would break a limit; then nothing is set.
   */
  merge(posted: ReadonlyMap<string, MemberText>, limits: DocumentLimits): void {
    let bytes = this.#bytes;
    let count = this.#members.size;
    for (const [name, piece] of posted) {
      const replaced = this.#members.get(name);
      bytes += lengthOf(piece) - (replaced === undefined ? 0 : lengthOf(replaced));
      if (replaced === undefined) count += 1;
    }
    requireSize(printedLength(bytes, count), limits);
    if (count > limits.maxMembers) throw tooManyFor(limits.maxMembers);
    for (const [name, piece] of posted) this.#members.set(name, piece);
    this.#bytes = bytes;
  }

  /** The text of the object. */
  print(): Buffer {
    const text = Buffer.allocUnsafe(printedLength(this.#bytes, this.#members.size));
    let at = text.write('{');
    for (const { bytes, start, end } of runsOf(this.#members.values())) {
      if (at > 1) at += text.write(',', at);
      at += bytes.copy(text, at, start, end);
    }
    text.write('}', at);
    return text;
  }
}

/** Pieces that only a comma is between are one: most texts are compact, and most members of a document stay. */
function* runsOf(pieces: Iterable<MemberText>): Generator<MemberText> {
  let run: MemberText | undefined;
  for (const piece of pieces) {
    if (run !== undefined && piece.bytes === run.bytes && piece.start === run.end + 1) {
      run = { ...run, end: piece.end };
    } else {
      if (run !== undefined) yield run;
      run = piece;
    }
  }
  if (run !== undefined) yield run;
}

const lengthOf = ({ start, end }: MemberText): number => end - start;

/** With braces and commas. */
function printedLength(bytes: number, count: number): number {
  return bytes + Math.max(count - 1, 0) + 2;
}

/** @throws InvalidError: only into JSON can anything be merged. */
export function requireMergeable(stored: Pick<DocumentContent, 'contentType'>): void {
  if (isJson(stored)) return;
  throw new InvalidError(
    `The stored document has the Content-Type ${stored.contentType}; only into application/json can anything be merged. ${advice}`,
    unmergeable,
  );
}

/** @param cause why the stored document is no JSON object. */
export function noStoredObject(cause: unknown): InvalidError {
  const message = `The stored document is not a JSON object, so nothing can be merged into it. ${advice}`;
  return new InvalidError(message, { ...unmergeable, cause });
}

/** @throws InvalidError: what can't be merged may only be posted where nothing is stored. */
export function refuseMergeOf(posted: Pick<DocumentContent, 'contentType'>): never {
  throw new InvalidError(
    `There is a document already, and only application/json can be merged into one, not ${posted.contentType}. ${advice}`,
    { details: [{ path: 'Content-Type', message: 'must be application/json', section }] },
  );
}
