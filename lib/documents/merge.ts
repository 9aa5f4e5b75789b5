import { InvalidError } from '../errors.ts';
import { parseJson, printJson } from '../xapi/json.ts';
import { withoutParameters } from '../xapi/media-type.ts';
import type { Json, JsonObject } from '../xapi/types.ts';
import type { DocumentContent } from './types.ts';

const section = 'xAPI 1.0.3 Communication 2.2';
const unmergeable = { details: [{ path: 'document', message: 'is stored and no JSON object', section }] };
const advice = `PUT replaces it as a whole (${section}).`;

export function isJson({ contentType }: DocumentContent): boolean {
  return withoutParameters(contentType) === 'application/json';
}

/** @throws InvalidError when the content is not the JSON that its Content-Type announces (xAPI 1.0.3 Communication 3.2). */
export function requireAnnouncedJson(document: DocumentContent): void {
  if (isJson(document)) parseJson(document.content);
}

/**
 * The object of a JSON document; numbers that would print differently are marked for `printJson`.
 * @throws InvalidError when the content is no JSON object.
 */
export function parseObject({ content }: DocumentContent): JsonObject {
  const { source } = parseJson(content);
  if (isObject(source)) return source;
  throw new InvalidError(
    `A document that is posted as application/json must be a JSON object (${section}).`,
    {
      details: [{ path: 'document', message: 'must be a JSON object', section }],
    },
  );
}

/**
 * Sets every property of the posted object on the stored one; what they contain is not merged.
 * @throws InvalidError when the stored document is no JSON object.
 */
export function merged(stored: DocumentContent, contentType: string, posted: JsonObject): DocumentContent {
  const object = { ...storedObject(stored), ...posted };
  return { contentType, content: Buffer.from(printJson(object)) };
}

function storedObject(stored: DocumentContent): JsonObject {
  if (!isJson(stored)) {
    throw new InvalidError(
      `The stored document has the Content-Type ${stored.contentType}; only into application/json can anything be merged. ${advice}`,
      unmergeable,
    );
  }
  try {
    return parseObject(stored);
  } catch (cause) {
    const message = `The stored document is not a JSON object, so nothing can be merged into it. ${advice}`;
    throw new InvalidError(message, { ...unmergeable, cause });
  }
}

/** @throws InvalidError: what can't be merged may only be posted where nothing is stored. */
export function refuseMergeOf(posted: DocumentContent): never {
  throw new InvalidError(
    `There is a document already, and only application/json can be merged into one, not ${posted.contentType}. ${advice}`,
    { details: [{ path: 'Content-Type', message: 'must be application/json', section }] },
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
