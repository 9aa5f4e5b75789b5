import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { keys } from './schema/keys.ts';
import type { Given } from './sources.ts';

/**
 * One sentence for each PEM file that is named and not there: a self-signed certificate may stand in for files that nobody has
 * named, but not, unnoticed, for the one that somebody has. A configuration of lrsql may name its default places.
 */
export function missingKeyFiles(given: ReadonlyMap<string, Given>, cwd: string): string[] {
  return ['keyPkeyFile', 'keyCertChain'].flatMap((key) => {
    const set = given.get(key);
    const files = Array.isArray(set?.value) ? set.value : [set?.value];
    return files
      .filter((file) => typeof file === 'string' && !defaults(key).includes(file))
      .filter((file) => !existsSync(resolve(cwd, file)))
      .map((file) => `webserver.${key} (from ${set?.origin}) names ${file}, which does not exist.`);
  });
}

const defaults = (key: string): unknown[] => [keys.get(key)?.default].flat();
