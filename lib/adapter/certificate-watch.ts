import { type Stats, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../logger.ts';
import { type CertificateOptions, type KeyPair, loadKeyPair } from './certificate.ts';

/** How often (ms) the files are looked at. */
const interval = 2000;

interface WatchOptions {
  readonly files: CertificateOptions;
  readonly logger: Logger;
  /** Told of each key pair that comes after the first one. */
  readonly onChange: (keyPair: KeyPair) => void;
}

/**
 * Reads key and certificate again when one of their files changes. A pair that can't be used, such as one of which only one file
 * has been written yet, is left alone until the next change; the former one goes on.
 * @param known the pair in use.
 * @returns what ends the watch.
 */
export function watchKeyPair(known: KeyPair, { files, logger, onChange }: WatchOptions): () => void {
  let current = known;
  const look = async (): Promise<void> => {
    try {
      const found = await loadKeyPair(files, logger);
      if (found.key === current.key && found.cert === current.cert) return;
      createSecureContext(found);
      current = found;
      onChange(found);
      logger.info('the changed key and certificate for HTTPS are in use');
    } catch (error) {
      logger.warn({ err: error }, 'the changed key and certificate for HTTPS can not be used (yet)');
    }
  };
  const watched = [files.keyPkeyFile, ...files.keyCertChain];
  // Node.js also calls this once for a file that is not there.
  const listener = (now: Stats, before: Stats): void => {
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) void look();
  };
  for (const file of watched) watchFile(file, { interval, persistent: false }, listener);
  return () => {
    for (const file of watched) unwatchFile(file, listener);
  };
}
