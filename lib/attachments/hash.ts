import { InvalidError } from '../errors.ts';

const hashes = /^([0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/** The hash at the end of a path, in lower case. @throws InvalidError */
export function readHash(path: string): string {
  const text = path.slice(path.lastIndexOf('/') + 1);
  if (hashes.test(text)) return text.toLowerCase();
  throw new InvalidError('The path must end with the hex digits of a SHA-2 hash.', {
    details: [{ path: 'sha2', message: 'must be the hex digits of a SHA-2 hash' }],
  });
}
