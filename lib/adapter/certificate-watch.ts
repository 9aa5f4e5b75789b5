import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../logger.ts';
import { type KeyPair, type KeyPairFiles, readKeyPair } from './certificate.ts';

/** How often (ms) the files are looked at. */
const interval = 2000;

interface WatchOptions {
  readonly files: KeyPairFiles;
  readonly logger: Logger;
  /** Told of each key pair that comes after the first one. */
  readonly onChange: (keyPair: KeyPair) => void;
}

/**
 * Reads key and certificate again when one of their files changes. The former pair stays in use while the new one can't be:
 * while a file is missing, empty or half written, or the two do not belong together.
 * @param known the pair in use.
 * @returns what ends the watch.
 */
export function watchKeyPair(known: KeyPair, { files, logger, onChange }: WatchOptions): () => void {
  const watched = [files.keyPkeyFile, ...files.keyCertChain];
  // A self-signed pair is used as long as there are no files, which is nothing to warn of.
  let isSelfSigned = !existsSync(files.keyPkeyFile);
  let current = known;
  let lastState: string | undefined;
  const use = (found: KeyPair | undefined): void => {
    if (found === undefined) {
      if (isSelfSigned) return;
      throw new Error(`Neither ${watched[0]} nor ${watched[1]} exists.`);
    }
    if (found.key === current.key && found.cert === current.cert) return;
    createSecureContext(found);
    current = found;
    isSelfSigned = false;
    onChange(found);
    logger.info('the changed key and certificate for HTTPS are in use');
  };
  const look = async (): Promise<void> => {
    const state = await stateOf(watched);
    if (state === lastState) return;
    lastState = state;
    try {
      use(readKeyPair(files));
    } catch (error) {
      logger.warn(
        { err: error, files: watched },
        'the changed key and certificate for HTTPS can not be used (yet); the former ones stay in use',
      );
    }
  };
  const timer = setInterval(() => void look(), interval).unref();
  return () => clearInterval(timer);
}

/** Changes with each of the files. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (file) => {
    try {
      const { ino, mtimeMs, size } = await stat(file);
      return `${ino} ${mtimeMs} ${size}`;
    } catch {
      return 'missing';
    }
  });
  return (await Promise.all(states)).join('\n');
}
