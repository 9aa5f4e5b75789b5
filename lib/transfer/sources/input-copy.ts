import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** What can be read only once, in a file. */
export interface InputCopy {
  readonly file: string;
  /** Removes the file, and the folder where nothing else is in it. */
  remove(): Promise<void>;
}

/**
 * Copies the standard input or a pipe into a file, because an import looks at the beginning of its source before it reads it, and
 * reads it again to compare.
 * @param from `-` for the standard input, or the path of a pipe.
 */
export async function copyInput(from: string, folder: string): Promise<InputCopy> {
  const file = join(folder, 'input');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const remove = async (): Promise<void> => {
    await rm(file, { force: true });
    // Others have written into it.
    await rmdir(folder).catch(() => {});
  };
  try {
    await pipeline(
      from === '-' ? process.stdin : createReadStream(from),
      createWriteStream(file, { mode: 0o600 }),
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { file, remove };
}
