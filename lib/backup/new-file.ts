import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../errors.ts';
import { BackupError } from './error.ts';

/**
 * Creates a file that only its owner may read and that appears complete or not at all: it is written under the name
 * `FILE.partial`, and nothing has its own name until then. A server would take an empty file for a new database.
 * @param write fills the empty file whose path it is given.
 * @throws BackupError when the file exists or its folder does not; what `write` throws.
 */
export async function createNewFile(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${file}.partial`;
  if (await exists(file)) throw new BackupError(`${file} exists, and no file is overwritten.`);
  await reserve(partial, file);
  try {
    await write(partial);
    await flush(partial);
    await giveName(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  await flush(dirname(file));
}

/** Also of a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function reserve(partial: string, file: string): Promise<void> {
  try {
    const handle = await open(partial, 'wx', 0o600);
    await handle.close();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') {
      throw new BackupError(
        `${partial} exists: another command is writing it, or one that was killed has left it behind. Delete it if no such command runs.`,
      );
    }
    if (code === 'ENOENT') throw new BackupError(`The folder ${dirname(file)} does not exist.`);
    throw new BackupError(`${partial} can't be created: ${code}.`, { cause: error });
  }
}

/** @throws BackupError when something has got the name since the beginning. */
async function giveName(partial: string, file: string): Promise<void> {
  try {
    // Unlike a renaming, it replaces no file.
    await link(partial, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || (await exists(file))) {
      throw new BackupError(
        `${file} was created meanwhile, by a server that has started or by another program, and no file is overwritten.`,
      );
    }
    // The file system has no hard links, as that of a USB stick.
    await rename(partial, file);
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
