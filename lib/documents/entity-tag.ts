import { createHash, hash } from 'node:crypto';
import { type LrsErrorOptions, PreconditionFailedError } from '../errors.ts';
import { Pauses } from '../in-turns.ts';
import type { Conditions, EntityTags } from './types.ts';

/** The ETag of a content, without quotes (xAPI 1.0.3 Communication 3.1). */
export function entityTagOf(content: Buffer | string): string {
  return hash(algorithm, content, 'hex');
}

const algorithm = 'sha1';
/** Bytes that are hashed before other work is let in: about a fifth of a millisecond. */
const hashedAtOnce = 256 * 1024;

/** The same; that of a large content in slices. */
export async function entityTagInSlices(content: Buffer): Promise<string> {
  if (content.length <= hashedAtOnce) return entityTagOf(content);
  const digest = createHash(algorithm);
  const pauses = new Pauses();
  for (let at = 0; at < content.length; at += hashedAtOnce) {
    digest.update(content.subarray(at, at + hashedAtOnce));
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
  return digest.digest('hex');
}

/**
 * Whether one of the tags is that of the content; undefined stands for no content. Weak tags count like strong ones: on the
 * way to the client a compressing proxy makes a strong tag a weak one, and the client can only send back what it got.
 */
export function matches(tags: EntityTags, etag: string | undefined): boolean {
  return etag !== undefined && (tags === '*' || tags.includes(etag));
}

/** @throws PreconditionFailedError saying which condition does not hold and what to do about it. */
export function requireConditions({ ifMatch, ifNoneMatch }: Conditions, etag: string | undefined): void {
  if (ifMatch !== undefined && !matches(ifMatch, etag)) {
    throw new PreconditionFailedError(
      etag === undefined
        ? 'The header If-Match asks for a document that is not there (any more); GET it to see its current state, and create it with If-None-Match: * (xAPI 1.0.3 Communication 3.1).'
        : `The header If-Match does not name the current ETag "${etag}": the document has changed. GET it, apply your change to what you get, and send it again with the current ETag (xAPI 1.0.3 Communication 3.1).`,
      failed('If-Match'),
    );
  }
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag)) {
    throw new PreconditionFailedError(
      `The header If-None-Match does not permit the document that is there, with the ETag "${etag}". GET it, apply your change to what you get, and send it with If-Match and the current ETag (xAPI 1.0.3 Communication 3.1).`,
      failed('If-None-Match'),
    );
  }
}

function failed(header: string): LrsErrorOptions {
  return {
    details: [{ path: header, message: 'does not hold', section: 'xAPI 1.0.3 Communication 3.1' }],
  };
}
