import { verify, X509Certificate } from 'node:crypto';
import { InvalidError } from '../errors.ts';
import { parseJson } from './json.ts';
import { withoutParameters } from './media-type.ts';
import type { AttachmentPart } from './statement/attachments.ts';
import { sameStatement } from './statement/equal.ts';
import { validateStatement } from './statement/validate.ts';
import type { Attachment, Json, JsonObject, Statement, XapiVersion } from './types.ts';

const signatureUsage = 'http://adlnet.gov/expapi/attachments/signature';

const digests: ReadonlyMap<Json | undefined, string> = new Map([
  ['RS256', 'sha256'],
  ['RS384', 'sha384'],
  ['RS512', 'sha512'],
]);

/**
 * Checks every signature that a statement carries as an attachment (xAPI 1.0.3 Data 2.6): a JSON Web Signature in compact
 * serialization by RS256, RS384 or RS512, whose payload is the same statement. With a certificate in its header (`x5c`) the
 * signature is verified by the public key of the first one; whom that belongs to, and whether it is still valid, is not for
 * an LRS to judge. A signature that only a `fileUrl` points to can't be checked. One inside a SubStatement has to be well
 * formed, too; it signs whatever its payload says, because a SubStatement is no statement.
 * @param contents the data of the statement's attachments, others may be among them
 * @throws InvalidError saying what is wrong with the signature.
 */
export function verifySignature(
  statement: Statement,
  contents: readonly AttachmentPart[],
  version: XapiVersion,
): void {
  for (const content of signaturesAmong(statement.attachments, contents)) {
    const signed = validateStatement(verifiedPayload(content), { version, path: 'signature.payload' });
    if (!sameStatement(signed, asSigned(statement, signed))) {
      throw malformed('must have as payload the same statement that it is attached to');
    }
  }
  const { object } = statement;
  if (object.objectType !== 'SubStatement') return;
  for (const content of signaturesAmong(object.attachments, contents)) verifiedPayload(content);
}

function signaturesAmong(
  attachments: readonly Attachment[] | undefined,
  contents: readonly AttachmentPart[],
): Buffer[] {
  return (attachments ?? []).flatMap(({ usageType, contentType, sha2 }) => {
    if (usageType !== signatureUsage) return [];
    if (withoutParameters(contentType) !== 'application/octet-stream') {
      throw malformed('must be an attachment with the contentType application/octet-stream');
    }
    const hash = sha2.toLowerCase();
    const part = contents.find((content) => content.sha2.toLowerCase() === hash);
    return part === undefined ? [] : [part.content];
  });
}

/** What a well-formed signature signs. */
function verifiedPayload(content: Buffer): Json {
  const segments = content.toString('latin1').split('.');
  const [header, payload, signature] = segments.map(decodeSegment);
  if (segments.length !== 3 || header === undefined || payload === undefined || signature === undefined) {
    throw malformed(
      'must be a JSON Web Signature in compact serialization: three segments of base64url joined by "."',
    );
  }
  const { digest, certificate } = readHeader(parseSegment(header, 'header'));
  const signed = parseSegment(payload, 'payload');
  const text = Buffer.from(segments.slice(0, 2).join('.'), 'latin1');
  if (certificate !== undefined && !verify(digest, text, certificate.publicKey, signature)) {
    throw malformed('must be made with the private key of the first certificate of its header');
  }
  return signed;
}

/**
 * The statement as it was before it was signed. Attachments that came after the signature are no part of what it signs, so a
 * payload without any says nothing about them.
 */
function asSigned(statement: Statement, signed: Statement): Statement {
  const { attachments, ...rest } = statement;
  const earlier = attachments?.filter(({ usageType }) => usageType !== signatureUsage) ?? [];
  return signed.attachments === undefined ? rest : { ...rest, attachments: earlier };
}

/** Strict base64url without padding (RFC 7515 2). */
function decodeSegment(segment: string): Buffer | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  return segment !== '' && bytes.toString('base64url') === segment ? bytes : undefined;
}

function parseSegment(bytes: Buffer, name: string): Json {
  try {
    return parseJson(bytes).value;
  } catch (cause) {
    const reason = cause instanceof InvalidError ? `: ${cause.message.replace(/\.$/, '')}` : '';
    throw malformed(`must have valid JSON as ${name}${reason}`, cause);
  }
}

function readHeader(header: Json): { digest: string; certificate: X509Certificate | undefined } {
  if (!isObject(header)) throw malformed('must have a JSON object as header');
  const digest = digests.get(header.alg);
  if (digest === undefined) throw malformed('must use the algorithm RS256, RS384 or RS512');
  if (header.crit !== undefined) throw malformed('must not have critical extensions ("crit") in its header');
  return { digest, certificate: header.x5c === undefined ? undefined : readCertificate(header.x5c) };
}

/** Standard base64 of DER, the signer's certificate first (RFC 7515 4.1.6). */
function readCertificate(chain: Json): X509Certificate {
  const [first] = Array.isArray(chain) ? chain : [];
  if (typeof first !== 'string') throw malformed('must have a list of certificates as "x5c" of its header');
  try {
    const certificate = new X509Certificate(decodeBase64(first));
    if (certificate.publicKey.asymmetricKeyType === 'rsa') return certificate;
  } catch (cause) {
    throw malformed('must have base64 of a DER certificate as first "x5c" of its header', cause);
  }
  throw malformed('must have a certificate of an RSA key as first "x5c" of its header');
}

function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new SyntaxError('The text is not base64.');
  return bytes;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(rule: string, cause?: unknown): InvalidError {
  const section = 'xAPI 1.0.3 Data 2.6';
  return new InvalidError(`The signature of a statement ${rule} (${section}).`, {
    details: [{ path: 'signature', message: rule, section }],
    cause,
  });
}
