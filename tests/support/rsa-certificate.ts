import { createPublicKey, randomBytes } from 'node:crypto';

/** DER of a value (X.690 8.1). */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** The certificate (RFC 5280 4.1), as base64, of an RSA key of which nobody has the private part. */
export function rsaCertificate(modulus: Buffer, exponent: Buffer): string {
  const jwk = { kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' });
  const algorithm = der(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'));
  const time = der(0x17, Buffer.from('300101000000Z'));
  const nobody = der(0x30);
  const serial = der(0x02, Buffer.from([1]));
  const content = der(0x30, serial, algorithm, nobody, der(0x30, time, time), nobody, key);
  return der(0x30, content, algorithm, der(0x03, Buffer.alloc(257))).toString('base64');
}

/** A random odd number of exactly so many bytes. */
export function oddNumber(bytes: number): Buffer {
  return Buffer.concat([Buffer.from([0xff]), randomBytes(bytes - 2), Buffer.from([1])]);
}
