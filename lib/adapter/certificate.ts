import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../logger.ts';

export interface CertificateOptions {
  /** PEM file of the private key. */
  readonly keyPkeyFile: string;
  /** PEM files of the certificate and of its chain; each file of the chain may be missing. */
  readonly keyCertChain: readonly string[];
  /** Whether a self-signed pair is used when the files are missing. */
  readonly keyEnableSelfie: boolean;
  readonly keyPassword?: string;
}

/** PEM texts. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
  readonly passphrase?: string;
}

const days = 825;
const renewBefore = 24 * 60 * 60 * 1000;

/** Which files the pair is read from. */
export type KeyPairFiles = Omit<CertificateOptions, 'keyEnableSelfie'>;

/**
 * The key and certificate for HTTPS: the configured files or, when both are missing, a self-signed pair that is created
 * once and stored in their place.
 * @throws Error when only one of the two exists or one is empty or no file, or neither exists and a self-signed pair is not permitted.
 */
export async function loadKeyPair(options: CertificateOptions, logger: Logger): Promise<KeyPair> {
  const { keyPkeyFile, keyCertChain, keyEnableSelfie } = options;
  const configured = readKeyPair(options);
  if (configured !== undefined) return configured;
  if (!keyEnableSelfie) {
    throw new Error(
      `HTTPS needs ${keyPkeyFile} and ${keyCertChain[0]}; neither exists, and webserver.keyEnableSelfie is false.`,
    );
  }
  logger.warn(
    `HTTPS uses a self-signed certificate, because neither ${keyPkeyFile} nor ${keyCertChain[0]} exists`,
  );
  return selfSigned(dirname(keyPkeyFile), logger);
}

/**
 * What the configured files contain; undefined when there are neither key nor certificate.
 * @throws Error when only one of the two exists, or one is empty or no file.
 */
export function readKeyPair({ keyPkeyFile, keyCertChain, keyPassword }: KeyPairFiles): KeyPair | undefined {
  const [certFile = ''] = keyCertChain;
  const hasKey = existsSync(keyPkeyFile);
  const hasCertificate = existsSync(certFile);
  if (!hasKey && !hasCertificate) return undefined;
  if (!hasKey || !hasCertificate) {
    throw new Error(
      `HTTPS needs both webserver.keyPkeyFile and the first file of webserver.keyCertChain, but ${hasKey ? certFile : keyPkeyFile} does not exist.`,
    );
  }
  const key = readFilled(keyPkeyFile);
  const chain = keyCertChain.slice(1).filter((file) => existsSync(file));
  const cert = [readFilled(certFile), ...chain.map(readPem)].join('\n');
  return { key, cert, ...(keyPassword !== undefined && { passphrase: keyPassword }) };
}

/** Bytes of a file in PEM form at most: a long chain of certificates has some 20 kB. */
const largestFile = 1024 * 1024;

/** Reading anything else, such as a pipe, could take for ever, and the event loop waits for it. */
function readPem(file: string): string {
  const found = statSync(file);
  if (!found.isFile())
    throw new Error(`${file} is not a file; HTTPS needs a key and a certificate in PEM form.`);
  if (found.size > largestFile)
    throw new Error(`${file} has ${found.size} bytes; a key or certificate has ${largestFile} at most.`);
  return readFileSync(file, 'utf8');
}

/** TLS takes an empty text for none at all, and every handshake would fail. */
function readFilled(file: string): string {
  const text = readPem(file);
  if (text.trim() === '')
    throw new Error(`${file} is empty; HTTPS needs a key and a certificate in PEM form.`);
  return text;
}

async function selfSigned(directory: string, logger: Logger): Promise<KeyPair> {
  const keyFile = join(directory, 'server.selfsigned.key.pem');
  const certFile = join(directory, 'server.selfsigned.crt.pem');
  if (existsSync(keyFile) && existsSync(certFile)) {
    const kept = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
    if (isUsable(kept)) return kept;
  }
  const pair = await generate();
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(keyFile, pair.key, { mode: 0o600 });
    writeFileSync(certFile, pair.cert, { mode: 0o600 });
    logger.info({ certificate: certFile }, 'self-signed certificate made for HTTPS');
  } catch (error) {
    logger.warn(
      { err: error },
      'the self-signed certificate could not be kept; the next start makes another',
    );
  }
  return pair;
}

/** Whether both texts are there and belong together, and the certificate goes on being valid. */
function isUsable({ key, cert }: KeyPair): boolean {
  if (key === '' || cert === '') return false;
  try {
    createSecureContext({ key, cert });
    return Date.parse(new X509Certificate(cert).validTo) - Date.now() > renewBefore;
  } catch {
    return false;
  }
}

async function generate(): Promise<KeyPair> {
  const { default: selfsigned } = await import('selfsigned');
  const notAfterDate = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  const { private: key, cert } = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { key, cert };
}
