import type { Conditions, EntityTags } from '../documents/types.ts';
import { InvalidError } from '../errors.ts';
import type { HttpRequest } from './types.ts';

/**
 * The conditions in the headers If-Match and If-None-Match (RFC 9110 13.1).
 * @throws InvalidError for a header that is no list of ETags.
 */
export function readConditions({ headers }: Pick<HttpRequest, 'headers'>): Conditions {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  return {
    ...(ifMatch !== undefined && { ifMatch: entityTags(ifMatch, 'If-Match') }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch: entityTags(ifNoneMatch, 'If-None-Match') }),
  };
}

/** An ETag as RFC 9110 8.8.3 has it, weak or strong, or, from careless clients, without quotes. */
const tag = /(?:W\/)?"([^"]*)"|([^\s",]+)/g;

function entityTags(header: string, name: string): EntityTags {
  const text = header.trim();
  if (text === '*') return '*';
  const tags = Array.from(text.matchAll(tag), ([, quoted, bare = '']) => quoted ?? bare);
  const rest = text.replace(tag, '');
  if (tags.length === 0 || /[^\s,]/.test(rest)) {
    throw new InvalidError(
      `The header ${name} must be * or a list of ETags in double quotes (RFC 9110 13.1).`,
      { details: [{ path: name, message: 'must be * or a list of ETags', section: 'RFC 9110 13.1' }] },
    );
  }
  return tags;
}
