import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { DatabaseUnusableError } from '../../unusable.ts';
import type { TlsOptions } from './options.ts';

/** The settings as Node's TLS takes them. @throws DatabaseUnusableError when a file can't be read. */
export function tlsConnectionOptions(tls: TlsOptions): ConnectionOptions & { rejectUnauthorized: boolean } {
  const { verify, authorityFile, certificateFile, keyFile } = tls;
  return {
    rejectUnauthorized: verify !== 'nothing',
    ...(verify === 'authority' && { checkServerIdentity: () => undefined }),
    ...(authorityFile !== undefined && { ca: contentOf(authorityFile) }),
    ...(certificateFile !== undefined && { cert: contentOf(certificateFile) }),
    ...(keyFile !== undefined && { key: contentOf(keyFile) }),
  };
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new DatabaseUnusableError(`The file ${file}, named in dbProperties, can't be read.`, {
      cause: error,
    });
  }
}
