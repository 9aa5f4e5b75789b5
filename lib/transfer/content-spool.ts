import { appendFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, InvalidError } from '../errors.ts';
import type { ContentLine } from '../export/content-parts.ts';
import { longestContents } from './item-limits.ts';

const isHash = /^[0-9a-f]{8,128}$/;

/** Contents of attachments that come before the statements that carry them, in files named by their hashes. */
export class ContentSpool {
  readonly #folder: string;
  /** The content of which a part has come, and its bytes up to there. */
  #partial: { readonly sha2: string; readonly bytes: number } | undefined;

  /** @param folder is made when there is something to keep. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Adds a part; those of one content follow each other.
   * @throws InvalidError with the last part of a content that is too long to be in memory.
   */
  async add({ sha2, data, more = undefined }: ContentLine): Promise<void> {
    if (!isHash.test(sha2)) return;
    const part = Buffer.from(data, 'base64');
    const begun = this.#partial?.sha2 === sha2 ? this.#partial.bytes : 0;
    const bytes = begun + part.length;
    this.#partial = more ? { sha2, bytes } : undefined;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const partial = join(this.#folder, `${sha2}.partial`);
    if (begun === 0 || bytes > longestContents) await rm(partial, { force: true });
    if (bytes <= longestContents) await appendFile(partial, part, { mode: 0o600 });
    if (more) return;
    if (bytes > longestContents)
      throw new InvalidError(`it has ${bytes} bytes, and a content of an import may have ${longestContents}`);
    await rename(partial, join(this.#folder, sha2));
  }

  /** Its bytes; 0 when it has not come. */
  async lengthOf(sha2: string): Promise<number> {
    if (!isHash.test(sha2)) return 0;
    const found = await stat(join(this.#folder, sha2)).catch(() => undefined);
    return found?.size ?? 0;
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
