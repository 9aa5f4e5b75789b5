import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { usesSqlite } from './sqlite-driver.mjs';

/**
 * Whether an import reads or writes SQLite.
 * @param {Pick<import('./transfer-arguments.mjs').ImportArguments, 'from' | 'to'>} given
 * @param {Record<string, string | undefined>} env with the settings that its arguments stand for
 */
export function importNeedsSqlite({ from, to }, env) {
  return (to === undefined && usesSqlite(env)) || isSqliteFile(from.replace(/^jdbc:sqlite:/i, ''));
}

const head = Buffer.from('SQLite format 3\0');

/** Anything else, or what cannot be read, is for the import to report. */
function isSqliteFile(path) {
  try {
    // A pipe would be read empty, or wait for its writer.
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    try {
      const begin = Buffer.alloc(head.length);
      readSync(file, begin, 0, head.length, 0);
      return begin.equals(head);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
