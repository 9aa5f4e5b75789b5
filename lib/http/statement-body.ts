import { InvalidError } from '../errors.ts';
import { Pauses } from '../in-turns.ts';
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
 * `multipart/mixed` (xAPI 1.0.3 Communication 1.5). Whether parts and statements fit is for `AttachmentMatcher` to say.
 * @throws InvalidError for any other type, and for a multipart body that breaks the rules of that section.
 */
export async function readStatementBody(request: {
  readonly contentType: string | undefined;
  readonly body: Buffer;
}): Promise<StatementBody> {
  const { contentType = '', body } = request;
  if (body.length === 0) {
    throw new InvalidError(
      'The request has no body; it must hold a statement or, on POST, an array of statements (xAPI 1.0.3 Communication 2.1).',
      { details: [{ path: 'body', message: 'is missing', section: 'xAPI 1.0.3 Communication 2.1' }] },
    );
  }
  const type = withoutParameters(contentType);
  if (type === 'application/json') return { json: body, parts: [] };
  if (type === 'multipart/mixed') return readParts(await parseMultipart(contentType, body));
  throw new InvalidError(
    'Statements must come with the header Content-Type "application/json" or "multipart/mixed" (xAPI 1.0.3 Communication 1.5).',
    {
      details: [
        {
          path: 'Content-Type',
          message: 'must be application/json or multipart/mixed',
          section: 'xAPI 1.0.3 Communication 1.5',
        },
      ],
    },
  );
}

/** The answer that carries statements and the data of their attachments (xAPI 1.0.3 Communication 1.5.2). */
export async function formatStatementBody(
  json: string,
  attachments: readonly Required<AttachmentPart>[],
): Promise<MultipartBody> {
  const spelled = attachments.length === 0 ? new Map<string, string>() : await spellings(json);
  const parts = attachments.map(({ sha2, contentType, content }) => ({
    headers: {
      'Content-Type': contentType,
      'Content-Transfer-Encoding': 'binary',
      'X-Experience-API-Hash': spelled.get(sha2) ?? sha2,
    },
    content,
  }));
  return formatMultipart([
    { headers: { 'Content-Type': 'application/json' }, content: Buffer.from(json) },
    ...parts,
  ]);
}

/**
 * How the statements write each hash in them, by its lower-case form: clients find the data so. Of several spellings the
 * lower-case one counts, else the first.
 */
async function spellings(json: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const pauses = new Pauses();
  for (const [, written = ''] of json.matchAll(/"([0-9a-f]{56,128})"/gi)) {
    const sha2 = written.toLowerCase();
    if (written === sha2 || !found.has(sha2)) found.set(sha2, written);
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
  }
  return found;
}

function readParts([first, ...rest]: readonly Part[]): StatementBody {
  if (first === undefined || withoutParameters(first.headers['content-type'] ?? '') !== 'application/json') {
    throw invalidPart(
      1,
      'must hold the statements and have the header Content-Type "application/json", as the first one',
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
  const section = 'xAPI 1.0.3 Communication 1.5.2';
  return new InvalidError(`Part ${number} of the multipart body ${rule} (${section}).`, {
    details: [{ path: `parts[${number - 1}]`, message: rule, section }],
  });
}
