import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../errors.ts';
import { BackupError } from './error.ts';

/**
 * Creates a file that only its owner may read and that appears complete or not at all: it is written under the name
 * `FILE.partial` while an empty `FILE` reserves its own name.
 * @param write fills the empty file whose path it is given.
 * @throws BackupError when the file exists or its folder does not; what `write` throws.
 */
export async function createNewFile(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${file}.partial`;
  await reserve(file);
  try {
    await reserve(partial);
    try {
      await write(partial);
      await flush(partial);
      await rename(partial, file);
      await flush(dirname(file));
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

async function reserve(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.close();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw new BackupError(`${file} exists, and no file is overwritten.`);
    if (code === 'ENOENT') throw new BackupError(`The folder ${dirname(file)} does not exist.`);
    throw new BackupError(`${file} can't be created: ${code}.`, { cause: error });
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
