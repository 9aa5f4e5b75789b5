import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { InvalidError } from '../errors.ts';
import type { Interner } from '../json/interner.ts';
import { ItemsText } from '../json/items.ts';
import { beyondLimit, type StatementLimits } from '../json/limits.ts';
import type { Json, JsonObject } from '../json/types.ts';
import { withoutParameters } from './media-type.ts';
import { type AttachmentPart, signatureUsage } from './statement/attachments.ts';
import { digestOf, type StatementDigest, sameDigest } from './statement/equal.ts';
import { validateStatement } from './statement/validate.ts';
import type { Attachment, Statement, XapiVersion } from './types.ts';

const digests: ReadonlyMap<Json | undefined, string> = new Map([
  ['RS256', 'sha256'],
  ['RS384', 'sha384'],
  ['RS512', 'sha512'],
]);

/** The longest RSA keys that are in use; the public exponent is 65537 nearly always. */
const mostModulusBits = 8192;
const mostExponentBits = 32;

/**
 * Bytes of DER of the public key in a certificate (SubjectPublicKeyInfo, RFC 5280 4.1): both numbers, each with a sign byte,
 * and 34 bytes of tags, lengths and the algorithm. Node.js makes a BigInt of the exponent in quadratic time, 360 ms for 47,500
 * bytes, while the length of the DER is known in linear time.
 */
const mostKeyBytes = mostModulusBits / 8 + mostExponentBits / 8 + 36;

/**
 * Bytes of the header. The certificates of a chain have a few thousand each, and Node.js parses one in a single piece, which
 * takes longer than 100 ms for a megabyte.
 */
const mostHeaderBytes = 65_536;

/** What the payload of a signature must keep, because it is a statement. */
export interface SignatureRules {
  readonly version: XapiVersion;
  readonly limits: StatementLimits;
  /** Shares parts of payloads with the statements that they sign; nothing is shared if not given. */
  readonly interner?: Interner | undefined;
  /** Called in the middle of long work, which waits for what it returns. */
  readonly pause: () => Promise<void> | undefined;
}

/**
 * Checks the signatures that the statements of one request carry as attachments (xAPI 1.0.3 Data 2.6): a JSON Web Signature
 * in compact serialization by RS256, RS384 or RS512, whose payload is the same statement. With a certificate in its header
 * (`x5c`) the signature is verified by the public key of the first one; whom that belongs to, and whether it is still valid,
 * is not for an LRS to judge. A signature that only a `fileUrl` points to can't be checked. One inside a SubStatement has to
 * be well formed, too; it signs whatever its payload says, because a SubStatement is no statement.
 *
 * Each content is verified once, however many attachments name it, and parsed once for statements and once for SubStatements. The
 * arithmetic runs in the thread pool, and of a content only its digest is kept.
 */
export class SignatureVerifier {
  readonly #contents: ReadonlyMap<string, Buffer>;
  readonly #rules: SignatureRules;
  readonly #verified = new Set<string>();
  readonly #signed = new Map<string, SignedStatement>();

  /** @param contents the data of the attachments of all statements, `sha2` in lower case. */
  constructor(contents: readonly AttachmentPart[], rules: SignatureRules) {
    this.#contents = new Map(contents.map(({ sha2, content }) => [sha2, content]));
    this.#rules = rules;
  }

  /** @throws InvalidError saying what is wrong with a signature of the statement, TooLargeError for one that is too long. */
  async check(statement: Statement): Promise<void> {
    const outer = signaturesAmong(statement.attachments);
    if (outer.size > 0) await this.#checkOuter(outer, statement);
    const { object } = statement;
    if (object.objectType !== 'SubStatement') return;
    for (const sha2 of signaturesAmong(object.attachments)) {
      if (!this.#verified.has(sha2)) await this.#payload(sha2);
    }
  }

  async #checkOuter(signatures: ReadonlySet<string>, statement: Statement): Promise<void> {
    const digests = new Map<boolean, StatementDigest>();
    for (const sha2 of signatures) {
      const signed = this.#signed.get(sha2) ?? (await this.#read(sha2));
      if (signed === undefined) continue;
      const { hasAttachments } = signed;
      const digest =
        digests.get(hasAttachments) ?? (await digestOf(asSigned(statement, signed), this.#rules.pause));
      digests.set(hasAttachments, digest);
      if (!sameDigest(signed.digest, digest)) {
        throw malformed('must have as payload the same statement that it is attached to');
      }
    }
  }

  /** The statement that the content with this hash signs; undefined when the content did not come along. */
  async #read(sha2: string): Promise<SignedStatement | undefined> {
    const { version, interner, pause } = this.#rules;
    const payload = await this.#payload(sha2);
    if (payload === undefined) return undefined;
    const statement = validateStatement(payload, {
      version,
      path: 'signature.payload',
      trees: interner?.trees,
    });
    await pause();
    const signed = {
      digest: await digestOf(statement, pause),
      hasAttachments: statement.attachments !== undefined,
    };
    this.#signed.set(sha2, signed);
    return signed;
  }

  /** What the content with this hash signs; undefined when it did not come along. */
  async #payload(sha2: string): Promise<Json | undefined> {
    const content = this.#contents.get(sha2);
    if (content === undefined) return undefined;
    await this.#rules.pause();
    const payload = await verifiedPayload(content, this.#rules);
    this.#verified.add(sha2);
    await this.#rules.pause();
    return payload;
  }
}

/** What is kept of the statement that a content signs. */
interface SignedStatement {
  readonly digest: StatementDigest;
  readonly hasAttachments: boolean;
}

/** The same for statements that came without the data of any attachment: there is nothing to verify, but the types must fit. */
export function checkSignatureTypes({ attachments, object }: Statement): void {
  signaturesAmong(attachments);
  if (object.objectType === 'SubStatement') signaturesAmong(object.attachments);
}

/** The hashes of the signatures, in lower case, each once. */
function signaturesAmong(attachments: readonly Attachment[] = []): Set<string> {
  const hashes = new Set<string>();
  for (const { usageType, contentType, sha2 } of attachments) {
    if (usageType !== signatureUsage) continue;
    if (withoutParameters(contentType) !== 'application/octet-stream') {
      throw malformed('must be an attachment with the contentType application/octet-stream');
    }
    hashes.add(sha2.toLowerCase());
  }
  return hashes;
}

/** What a well-formed signature signs. */
async function verifiedPayload(content: Buffer, rules: SignatureRules): Promise<Json> {
  const { limits } = rules;
  // The payload is base64 of the statement; that leaves two thirds of its length for the header and the signature itself.
  if (content.length > 2 * limits.stmtMaxBytes) {
    throw beyondLimit('stmtMaxBytes', limits, { subject: 'signature', place: 'in an attachment' });
  }
  const segments = content.toString('latin1').split('.', 4);
  const [header, payload, signature] = segments.map(decodeSegment);
  if (segments.length !== 3 || header === undefined || payload === undefined || signature === undefined) {
    throw malformed(
      'must be a JSON Web Signature in compact serialization: three segments of base64url joined by "."',
    );
  }
  if (header.length > mostHeaderBytes)
    throw malformed(`must have a header of at most ${mostHeaderBytes} bytes`);
  const { digest, certificate } = readHeader(parseSegment(header, 'header', rules));
  const signed = parseSegment(payload, 'payload', rules);
  const text = Buffer.from(segments.slice(0, 2).join('.'), 'latin1');
  if (certificate !== undefined && !(await verifies(digest, text, certificate.publicKey, signature))) {
    throw malformed('must be made with the private key of the first certificate of its header');
  }
  return signed;
}

/** Verifies in the thread pool. A key that OpenSSL can't calculate with verifies nothing. */
function verifies(digest: string, text: Buffer, key: KeyObject, signature: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    verify(digest, text, key, signature, (error, result) => resolve(error === null && result));
  });
}

/**
 * The statement as it was before it was signed. Attachments that came after the signature are no part of what it signs, so a
 * payload without any says nothing about them.
 */
function asSigned({ attachments, ...rest }: Statement, { hasAttachments }: SignedStatement): Statement {
  const earlier = attachments?.filter(({ usageType }) => usageType !== signatureUsage) ?? [];
  return hasAttachments ? { ...rest, attachments: earlier } : rest;
}

/** Strict base64url without padding (RFC 7515 2). */
function decodeSegment(segment: string): Buffer | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  return segment !== '' && bytes.toString('base64url') === segment ? bytes : undefined;
}

function parseSegment(bytes: Buffer, name: string, { limits, interner }: SignatureRules): Json {
  try {
    const text = new ItemsText(bytes, limits, { name: `signature.${name}`, interner });
    text.scan();
    const { isArray, items } = text.parsed();
    const [item] = items;
    return isArray || item === undefined ? [] : item.value;
  } catch (cause) {
    if (!(cause instanceof InvalidError)) throw cause;
    throw malformed(`must have valid JSON as ${name}: ${cause.message.replace(/\.$/, '')}`, cause);
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
    const { publicKey } = certificate;
    if (publicKey.asymmetricKeyType === 'rsa') {
      requireQuick(publicKey);
      return certificate;
    }
  } catch (cause) {
    if (cause instanceof InvalidError) throw cause;
    throw malformed('must have base64 of a DER certificate as first "x5c" of its header', cause);
  }
  throw malformed('must have a certificate of an RSA key as first "x5c" of its header');
}

/** The client chooses the key, and the length of its parts decides for how long a verification takes a thread. */
function requireQuick(key: KeyObject): void {
  if (key.export({ type: 'spki', format: 'der' }).length <= mostKeyBytes) {
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    if (modulusLength <= mostModulusBits && publicExponent < 1n << BigInt(mostExponentBits)) return;
  }
  throw malformed(
    `must not be made with an RSA key of more than ${mostModulusBits} bits, or with a public exponent of more than ${mostExponentBits}`,
  );
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
