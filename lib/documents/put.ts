import { ConflictError, InvalidError } from '../errors.ts';
import type { JsonContentScanner } from './json-content.ts';
import { documentKinds } from './kinds.ts';
import { isJson } from './merge.ts';
import type {
  Conditions,
  DocumentAddress,
  DocumentContent,
  DocumentKind,
  StoredDocument,
  WriteTerms,
} from './types.ts';

const section = 'xAPI 1.0.3 Communication 3.1';

const missingCondition = { details: [{ path: 'If-Match', message: 'is required', section }] };

/** @throws InvalidError when the content is not the JSON that it is said to be and the rules of its kind mind that. */
export async function requirePuttable(
  { kind }: Pick<DocumentAddress, 'kind'>,
  document: DocumentContent,
  { version, scanner }: Pick<WriteTerms, 'version'> & { readonly scanner: JsonContentScanner },
): Promise<void> {
  if (documentKinds[kind].looseJson.includes(version) || !isJson(document)) return;
  await scanner.scan(document.content, 0);
}

/** Whether a PUT is stored whatever is there. */
export function isBlind(kind: DocumentKind, { version, conditions }: WriteTerms): boolean {
  return !isConditional(conditions) && documentKinds[kind].unconditionalPut[version] === 'stored';
}

/**
 * Asks whether a PUT without any condition may be stored.
 * @throws ConflictError when there is a document, InvalidError when the condition is missing anyway; the message says what
 *   the client should do.
 */
export function requirePermittedPut(
  kind: DocumentKind,
  stored: Pick<StoredDocument, 'etag'> | undefined,
  terms: WriteTerms,
): void {
  if (isConditional(terms.conditions) || isBlind(kind, terms)) return;
  if (stored !== undefined) {
    throw new ConflictError(
      `There is a document already, and the PUT has no condition. GET it to check its current state; to replace it, send the PUT again with the header If-Match and its current ETag, which is "${stored.etag}" now (${section}).`,
      missingCondition,
    );
  }
  if (documentKinds[kind].unconditionalPut[terms.version] === 'refused') {
    throw new InvalidError(
      `A PUT of ${kind} must have the header If-Match with the ETag of the document that it replaces, or If-None-Match: * to create one (${section}).`,
      missingCondition,
    );
  }
}

function isConditional({ ifMatch, ifNoneMatch }: Conditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined;
}
