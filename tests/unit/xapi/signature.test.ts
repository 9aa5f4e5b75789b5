import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { generate } from 'selfsigned';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { unlimited } from '../../../lib/json/limits.ts';
import { SignatureVerifier } from '../../../lib/xapi/signature.ts';
import type { AttachmentPart } from '../../../lib/xapi/statement/attachments.ts';
import type { Attachment, Statement } from '../../../lib/xapi/types.ts';
import { growsWithSize } from '../../support/processor-time.ts';
import { oddNumber, rsaCertificate } from '../../support/rsa-certificate.ts';

const signer = await generate([{ name: 'commonName', value: 'signer' }], { keySize: 2048 });
const x5c = [signer.cert.replace(/-----[A-Z ]+-----|\s/g, '')];
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const pause = () => undefined;

const base: Statement = {
  id: '6d969975-8d7e-4506-ac19-877c57f2921a',
  actor: { mbox: 'mailto:a@x.org' },
  verb: { id: 'http://x.org/verb' },
  object: { id: 'http://x.org/activity' },
};

const other: Attachment = {
  usageType: 'http://x.org/usage',
  display: { en: 'A text' },
  contentType: 'text/plain',
  length: 1,
  sha2: createHash('sha256').update('1').digest('hex'),
};

function segment(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

function jws(
  payload: unknown,
  { header = {}, key = signer.private }: { header?: object; key?: string | typeof stranger } = {},
) {
  const text = `${segment({ alg: 'RS256', ...header })}.${segment(payload)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function check(statement: Statement, contents: readonly AttachmentPart[]): Promise<void> {
  return new SignatureVerifier(contents, { version: '1.0.3', limits: unlimited, pause }).check(statement);
}

/** An attachment that names this content as the signature of its statement. */
function signatureOf(content: string): Attachment {
  return {
    usageType: 'http://adlnet.gov/expapi/attachments/signature',
    display: { en: 'Signature' },
    contentType: 'application/octet-stream',
    length: content.length,
    sha2: createHash('sha256').update(content).digest('hex'),
  };
}

/** Verifies a statement that carries this content as its signature. */
function verifySigned(
  content: string,
  statement: Statement = base,
  properties: Partial<Attachment> = {},
): Promise<void> {
  const signature = { ...signatureOf(content), ...properties };
  const part = {
    sha2: signatureOf(content).sha2,
    contentType: 'application/octet-stream',
    content: Buffer.from(content),
  };
  const signed = { ...statement, attachments: [...(statement.attachments ?? []), signature] };
  return check(signed, [part]);
}

describe('SignatureVerifier accepts (xAPI 1.0.3 Data 2.6)', () => {
  it.each([
    ['RS256', 'sha256'],
    ['RS384', 'sha384'],
    ['RS512', 'sha512'],
  ])('%s, verified by the certificate of the header', async (alg, digest) => {
    const text = `${segment({ alg, x5c })}.${segment(base)}`;
    const content = (algorithm: string) =>
      `${text}.${sign(algorithm, Buffer.from(text), signer.private).toString('base64url')}`;
    await expect(verifySigned(content(digest))).resolves.toBeUndefined();
    await expect(verifySigned(content('sha1'))).rejects.toThrow(InvalidError);
  });

  it('a signature without a certificate', async () => {
    await expect(verifySigned(jws(base))).resolves.toBeUndefined();
    await expect(verifySigned(jws(base, { key: stranger }))).resolves.toBeUndefined();
  });

  it('a payload that differs as the same statement may', async () => {
    const { id: _id, ...withoutId } = base;
    await expect(
      verifySigned(jws({ ...withoutId, verb: { ...base.verb, display: { en: 'did' } } })),
    ).resolves.toBeUndefined();
  });

  it('a payload with or without the other attachments', async () => {
    await expect(verifySigned(jws(base), { ...base, attachments: [other] })).resolves.toBeUndefined();
    await expect(
      verifySigned(jws({ ...base, attachments: [other] }), { ...base, attachments: [other] }),
    ).resolves.toBeUndefined();
  });

  it('statements without signatures, and signatures that a fileUrl points to', async () => {
    await expect(check({ ...base, attachments: [other] }, [])).resolves.toBeUndefined();
    const signature = {
      ...other,
      usageType: 'http://adlnet.gov/expapi/attachments/signature',
      contentType: 'application/octet-stream',
      fileUrl: 'http://x.org/f',
    };
    await expect(check({ ...base, attachments: [signature] }, [])).resolves.toBeUndefined();
  });
});

const unsigned = `${segment({ alg: 'HS256' })}.${segment(base)}`;
const whole = jws(base);

describe('SignatureVerifier refuses (xAPI 1.0.3 Data 2.6)', () => {
  it.each<[string, string, string]>([
    [
      "another key than the certificate's",
      jws(base, { header: { x5c }, key: stranger }),
      'private key of the first certificate',
    ],
    [
      'another algorithm',
      `${unsigned}.${createHmac('sha256', 'key').update(unsigned).digest('base64url')}`,
      'RS256, RS384 or RS512',
    ],
    ['no algorithm at all', `${segment({ alg: 'none' })}.${segment(base)}.`, 'compact serialization'],
    [
      'an algorithm named like a property of every object',
      jws(base, { header: { alg: 'constructor' } }),
      'RS256, RS384 or RS512',
    ],
    ['critical extensions', jws(base, { header: { crit: ['exp'], exp: 1 } }), 'critical extensions'],
    ['another statement', jws({ ...base, verb: { id: 'http://x.org/other' } }), 'same statement'],
    ['other attachments', jws({ ...base, attachments: [other] }), 'same statement'],
    [
      'a payload that is no JSON',
      jws("{'a':1}"),
      'valid JSON as payload: The JSON text is not valid because of "\'"',
    ],
    ['a payload that is no statement', jws({ actor: base.actor }), 'signature.payload'],
    ['a header that is no JSON', `${segment('x')}.${segment(base)}.${segment('x')}`, 'valid JSON as header'],
    [
      'a header that is no object',
      `${segment([])}.${segment(base)}.${segment('x')}`,
      'JSON object as header',
    ],
    [
      'the JSON serialization',
      JSON.stringify({ payload: segment(base), signatures: [] }),
      'compact serialization',
    ],
    ['two segments', whole.split('.').slice(0, 2).join('.'), 'compact serialization'],
    ['four segments', `${whole}.${segment('x')}`, 'compact serialization'],
    ['padded base64url', `${whole}=`, 'compact serialization'],
    ['plain base64', whole.replace(/[^.]*$/, '+/+/'), 'compact serialization'],
    ['a line break at the end', `${whole}\n`, 'compact serialization'],
    ['an empty content', '', 'compact serialization'],
    [
      'a header that takes long to read',
      jws(base, { header: { x5c, kid: 'x'.repeat(65_536) } }),
      'a header of at most 65536 bytes',
    ],
    ['an empty certificate chain', jws(base, { header: { x5c: [] } }), 'list of certificates'],
    ['a chain that is no list', jws(base, { header: { x5c: x5c[0] } }), 'list of certificates'],
    ['a certificate that is none', jws(base, { header: { x5c: ['AAAA'] } }), 'DER certificate'],
    ['a certificate that is not base64', jws(base, { header: { x5c: [`${x5c[0]}*`] } }), 'DER certificate'],
  ])('%s', async (_title, content, message) => {
    await expect(verifySigned(content)).rejects.toThrow(InvalidError);
    await expect(verifySigned(content)).rejects.toThrow(message);
  });

  it('another contentType', async () => {
    await expect(verifySigned(whole, base, { contentType: 'text/plain' })).rejects.toThrow(
      'application/octet-stream',
    );
  });
});

describe('SignatureVerifier inside a SubStatement (xAPI 1.0.3 Data 2.6)', () => {
  function verifyInside(content: string): Promise<void> {
    const sha2 = createHash('sha256').update(content).digest('hex');
    const signature: Attachment = {
      usageType: 'http://adlnet.gov/expapi/attachments/signature',
      display: { en: 'Signature' },
      contentType: 'application/octet-stream',
      length: content.length,
      sha2,
    };
    const { actor, verb } = base;
    const activity = { id: 'http://x.org/activity' };
    const planned = { actor, verb, object: activity, attachments: [signature] };
    const statement: Statement = { ...base, object: { objectType: 'SubStatement', ...planned } };
    return check(statement, [{ sha2, content: Buffer.from(content) }]);
  }

  it('accepts a well-formed one, whatever it signs', async () => {
    await expect(
      verifyInside(jws({ ...base, verb: { id: 'http://x.org/other' } }, { header: { x5c } })),
    ).resolves.toBeUndefined();
  });

  it.each([
    ['garbage', 'garbage'],
    ['another algorithm', jws(base, { header: { alg: 'HS256' } })],
    ['another key than that of its certificate', jws(base, { header: { x5c }, key: stranger })],
    ['a payload that is no JSON', jws('{')],
  ])('refuses %s', async (_, content) => {
    await expect(verifyInside(content)).rejects.toThrow(InvalidError);
  });
});

describe('A signature that several attachments name', () => {
  /** A part that counts how often its content is read. */
  function countedPart(text: string) {
    const content = Buffer.from(text);
    const part = { sha2: createHash('sha256').update(text).digest('hex'), content, reads: 0 };
    content.toString = (...options) => {
      part.reads += 1;
      return Buffer.from(text).toString(...options);
    };
    return part;
  }

  it('is verified once, for attachments of one statement and of several', async () => {
    const content = jws(base, { header: { x5c } });
    const part = countedPart(content);
    const signature = signatureOf(content);
    const upper = { ...signature, sha2: part.sha2.toUpperCase() };
    const signed: Statement = { ...base, attachments: [signature, upper, signature] };
    const { actor, verb, object } = { ...base, object: { id: 'http://x.org/activity' } };
    const planned = { objectType: 'SubStatement' as const, actor, verb, object };
    const verifier = new SignatureVerifier([part], { version: '1.0.3', limits: unlimited, pause });
    await verifier.check(signed);
    await verifier.check({ ...base, object: { ...planned, attachments: [signature] } });
    await verifier.check(signed);
    expect(part.reads).toBe(1);
  });

  it('is verified with pauses before each and between its parts', async () => {
    const contents = Array.from({ length: 20 }, (_, kid) => jws(base, { header: { kid } }));
    const attachments = contents.map(signatureOf);
    const parts = contents.map((content, index) => ({
      sha2: attachments[index]?.sha2 ?? '',
      content: Buffer.from(content),
    }));
    const counts = [0, 0];
    const verifierOf = (place: 0 | 1) => {
      const counted = async () => {
        counts[place] = (counts[place] ?? 0) + 1;
      };
      return new SignatureVerifier(parts, { version: '1.0.3', limits: unlimited, pause: counted });
    };
    await verifierOf(0).check({ ...base, attachments });
    const { actor, verb } = base;
    const object = { objectType: 'SubStatement' as const, actor, verb, object: { id: 'http://x.org/a' } };
    await verifierOf(1).check({ ...base, object: { ...object, attachments } });
    // Before it, after parsing it, after validating it and after the digest; a SubStatement has no digest.
    expect(counts[0]).toBeGreaterThanOrEqual(4 * contents.length);
    expect(counts[1]).toBeGreaterThanOrEqual(2 * contents.length);
  });
});

describe('A signature is bound to the limits of a statement', () => {
  it.each([
    ['stmtMaxEntries', { stmtMaxEntries: 2 }, 'signature.payload has a list or an object with more than 2'],
    ['stmtMaxValues', { stmtMaxValues: 3 }, 'signature.payload holds more than 3 JSON values'],
    ['stmtMaxBytes', { stmtMaxBytes: 100 }, 'signature is longer than 100 bytes'],
  ])('%s', async (_, limit, message) => {
    const content = jws(base);
    const signature = signatureOf(content);
    const limits = { ...unlimited, ...limit };
    const part = { sha2: signature.sha2, content: Buffer.from(content) };
    const verifier = new SignatureVerifier([part], { version: '1.0.3', limits, pause });
    await expect(verifier.check({ ...base, attachments: [signature] })).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringContaining(message),
    });
  });
});

describe('SignatureVerifier refuses keys with which a verification takes long', () => {
  const usual = Buffer.from([1, 0, 1]);
  const certified = (modulus: Buffer, exponent: Buffer): string =>
    jws(base, { header: { x5c: [rsaCertificate(modulus, exponent)] } });

  it.each([
    ['an exponent of 33 bits', oddNumber(256), oddNumber(5), 'a public exponent of more than 32'],
    ['an exponent of 47,500 bytes', oddNumber(256), oddNumber(47_500), 'a public exponent of more than 32'],
    ['a modulus of 8,200 bits', oddNumber(1025), usual, 'an RSA key of more than 8192 bits'],
    ['none of both', oddNumber(1024), oddNumber(4), 'with the private key of the first certificate'],
  ])('%s', async (_, modulus, exponent, reason) => {
    await expect(verifySigned(certified(modulus, exponent))).rejects.toThrow(reason);
  });

  it('in a time that grows no faster than the exponent', async () => {
    const contents = new Map<number, string>();
    const refused = async (bytes: number): Promise<void> => {
      const content = contents.get(bytes) ?? certified(oddNumber(256), oddNumber(bytes));
      contents.set(bytes, content);
      await expect(verifySigned(content)).rejects.toThrow(InvalidError);
    };
    expect(await growsWithSize(refused, 47_500)).toBe(true);
  });
});
