import { mkdir, open, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '../db/dialects/sqlite/file-lock.ts';
import { ConflictError, codeOf } from '../errors.ts';

/** How often a folder is entered that another import removes at the same moment. */
const mostAttempts = 10;

/**
 * Works in a folder, which is made if it is missing, and keeps other processes out of it meanwhile, also those of other containers
 * or machines that share it. A process works in one folder at a time.
 * @throws ConflictError when another process works there; UnavailableError when its file system has no locks.
 */
export async function aloneIn<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const lock = join(folder, 'import.lock');
  const { isNew, release } = await enter(folder, lock);
  try {
    return await work();
  } finally {
    // While it is locked, so that no other process has it. One that stays is locked again.
    await rm(lock, { force: true }).catch(() => {});
    // A dry run leaves nothing.
    if (isNew) await rmdir(folder).catch(() => {});
    await release();
  }
}

type Release = () => Promise<void>;

/** @returns what releases the folder, and whether it is new. */
async function enter(
  folder: string,
  lock: string,
): Promise<{ readonly isNew: boolean; readonly release: Release }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
      const release = await lockIn(folder, lock);
      if (release !== undefined) return { isNew, release };
    } catch (error) {
      if (error instanceof ConflictError || attempt === mostAttempts) throw error;
    }
  }
}

/** @returns undefined when the import that had the folder has removed the file meanwhile. */
async function lockIn(folder: string, lock: string): Promise<Release | undefined> {
  // It stays open, so that no other file gets its inode. Closing it earlier would release the locks of this process on it.
  const file = await open(lock, 'a', 0o600);
  let unlock: Release | undefined;
  const release = async (): Promise<void> => {
    await unlock?.();
    await file.close();
  };
  try {
    unlock = await lockFile(lock);
    if (unlock === undefined) {
      throw new ConflictError(
        `Another import works in the folder ${folder}. Wait for its end, or give another folder with --folder.`,
      );
    }
    if ((await inodeOf(lock)) === (await file.stat()).ino) return release;
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;
}

/** undefined: the file is not there. */
async function inodeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).ino;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
