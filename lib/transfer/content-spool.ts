import { appendFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors.ts';
import type { ContentLine } from '../export/content-parts.ts';

const isHash = /^[0-9a-f]{8,128}$/;

/** Contents of attachments that come before the statements that carry them, in files named by their hashes. */
export class ContentSpool {
  readonly #folder: string;
  #partial: string | undefined;

  /** @param folder is made when there is something to keep. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a part; those of one content follow each other. */
  async add({ sha2, data, more = undefined }: ContentLine): Promise<void> {
    if (!isHash.test(sha2)) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const partial = join(this.#folder, `${sha2}.partial`);
    if (this.#partial !== sha2) await rm(partial, { force: true });
    await appendFile(partial, Buffer.from(data, 'base64'), { mode: 0o600 });
    this.#partial = more ? sha2 : undefined;
    if (!more) await rename(partial, join(this.#folder, sha2));
  }

  /** undefined: it has not come. */
  async read(sha2: string): Promise<Buffer | undefined> {
    if (!isHash.test(sha2)) return undefined;
    try {
      return await readFile(join(this.#folder, sha2));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}
