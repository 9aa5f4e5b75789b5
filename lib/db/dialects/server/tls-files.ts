import { existsSync, readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { DatabaseUnusableError } from '../../unusable.ts';
import { systemAuthorities, type TlsOptions } from './options.ts';

/** Where systems have their trusted authorities in one file: Debian and Alpine, Fedora, SUSE, macOS. */
const systemFiles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The settings as Node's TLS takes them. @throws DatabaseUnusableError when a file can't be read. */
export function tlsConnectionOptions(tls: TlsOptions): ConnectionOptions & { rejectUnauthorized: boolean } {
  const { verify, certificateFile, keyFile } = tls;
  const authorityFile = authorityFileOf(tls);
  return {
    rejectUnauthorized: verify !== 'nothing',
    ...(verify === 'authority' && { checkServerIdentity: () => undefined }),
    ...(authorityFile !== undefined && { ca: contentOf(authorityFile, 'sslRootCert') }),
    ...(certificateFile !== undefined && { cert: contentOf(certificateFile, 'sslCert') }),
    ...(keyFile !== undefined && { key: contentOf(keyFile, 'sslKey') }),
  };
}

/**
 * The file of the trusted authorities; undefined: those of Node.js.
 * @throws DatabaseUnusableError when it is to be that of the system, which has none.
 */
export function authorityFileOf(
  { authorityFile }: Pick<TlsOptions, 'authorityFile'>,
  candidates: readonly string[] = systemFiles,
): string | undefined {
  if (authorityFile !== systemAuthorities) return authorityFile;
  const file = candidates.find((path) => existsSync(path));
  if (file !== undefined) return file;
  throw new DatabaseUnusableError(
    'This system has no file of trusted authorities, which sslRootCert=system needs: install its package ca-certificates, or name a file with sslRootCert.',
  );
}

function contentOf(file: string, property: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new DatabaseUnusableError(`The file ${file}, which ${property} names, can't be read.`, {
      cause: error,
    });
  }
}
