import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from './installed.mjs';

/**
 * A hash of the names and contents of files, so that what is built from them is built anew when they change, and not when
 * only their times do, as after `git clone`.
 * @param {{ folders: readonly string[], files: readonly string[], kind?: RegExp }} sources relative to the project; of the
 *   folders only files whose names match `kind` count
 */
export async function sourcesHash({ folders, files, kind = /./ }) {
  const all = await Promise.all(folders.map((name) => filesIn(join(root, name))));
  const inFolders = all.map((names) => names.filter((name) => kind.test(name)));
  const hash = createHash('sha256');
  for (const file of [...files.map((name) => join(root, name)), ...inFolders.flat()]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Absolute paths, in an order that is always the same. */
export async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}
