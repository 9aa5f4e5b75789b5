import { InvalidError } from '../errors.ts';
import { withoutParameters } from '../xapi/media-type.ts';
import type { AttachmentPart } from '../xapi/statement/attachments.ts';
import { formatMultipart, type MultipartBody, type Part, parseMultipart } from './multipart.ts';

/** The body of a PUT or POST of statements. */
export interface StatementBody {
  /** The text of the statement or of the array of statements. */
  readonly json: Buffer;
  readonly parts: readonly AttachmentPart[];
}

/**
 * Takes the body of a request that brings statements apart: `application/json` or, with the data of attachments,
 * `multipart/mixed` (xAPI 1.0.3 Communication 1.5). Whether parts and statements fit is for `matchAttachments` to say.
 * @throws InvalidError for any other type, and for a multipart body that breaks the rules of that section.
 */
export function readStatementBody(request: {
  readonly contentType: string | undefined;
  readonly body: Buffer;
}): StatementBody {
  const { contentType = '', body } = request;
  const type = withoutParameters(contentType);
  if (type === 'application/json') return { json: body, parts: [] };
  if (type === 'multipart/mixed') return readParts(parseMultipart(contentType, body));
  throw new InvalidError(
    'Statements must come with the header Content-Type "application/json" or "multipart/mixed" (xAPI 1.0.3 Communication 1.5).',
  );
}

/** The answer that carries statements and the data of their attachments (xAPI 1.0.3 Communication 1.5.2). */
export function formatStatementBody(
  json: string,
  attachments: readonly Required<AttachmentPart>[],
): MultipartBody {
  const parts = attachments.map(({ sha2, contentType, content }) => ({
    headers: {
      'Content-Type': contentType,
      'Content-Transfer-Encoding': 'binary',
      'X-Experience-API-Hash': sha2,
    },
    content,
  }));
  return formatMultipart([
    { headers: { 'Content-Type': 'application/json' }, content: Buffer.from(json) },
    ...parts,
  ]);
}

function readParts([first, ...rest]: readonly Part[]): StatementBody {
  if (first === undefined || withoutParameters(first.headers['content-type'] ?? '') !== 'application/json') {
    throw new InvalidError(
      'The first part of a multipart body must hold the statements and have the header Content-Type "application/json" (xAPI 1.0.3 Communication 1.5.2).',
    );
  }
  return { json: first.content, parts: rest.map((part, index) => readAttachment(part, index + 2)) };
}

function readAttachment({ headers, content }: Part, number: number): AttachmentPart {
  const sha2 = headers['x-experience-api-hash'];
  if (sha2 === undefined || sha2 === '') {
    throw invalidPart(number, 'must have the header X-Experience-API-Hash');
  }
  const encoding = headers['content-transfer-encoding'] ?? 'binary';
  if (encoding.toLowerCase() !== 'binary') {
    throw invalidPart(number, 'must have the header Content-Transfer-Encoding "binary"');
  }
  const length = headers['content-length'];
  if (length !== undefined && length !== String(content.length)) {
    throw invalidPart(number, 'must be as long as its header Content-Length says');
  }
  const contentType = headers['content-type'];
  return { sha2, content, ...(contentType !== undefined && { contentType }) };
}

function invalidPart(number: number, rule: string): InvalidError {
  return new InvalidError(`Part ${number} of the multipart body ${rule} (xAPI 1.0.3 Communication 1.5.2).`);
}
