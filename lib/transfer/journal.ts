import { mkdir, open, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, InvalidError, UnavailableError } from '../errors.ts';
import type { Position } from '../statements/types.ts';
import { aloneIn } from './folder-lock.ts';
import type { Cursor, RecordKind } from './records.ts';
import { bytesOf } from './sources/bytes.ts';
import { itemsOf } from './sources/json-items.ts';

export const outcomes = ['stored', 'present', 'refused'] as const;
export type OutcomeName = (typeof outcomes)[number];

/** How far an import has come. */
export interface Progress {
  readonly source: string;
  readonly target: string;
  /** The `id` of the target: a database that was created anew has another one. */
  readonly store: string;
  readonly trusted: boolean;
  /** The id of the statement that was stored last, or was there already. */
  readonly last?: string;
  /** Whether statements with their own `stored` were placed: the store was fit for it then. */
  readonly hasPlaced: boolean;
  /** The newest position of the store when the last run that placed statements ended; undefined until it has. */
  readonly newest?: Position;
  readonly cursor?: Cursor;
  /** Whether the source has been read to its end. */
  readonly complete: boolean;
  readonly counts: Readonly<Partial<Record<RecordKind, Readonly<Record<OutcomeName, number>>>>>;
  /** What people should know about what was changed in the target, by the runs that this one continues, too. */
  readonly notices?: readonly string[];
  /** Of the records that are counted (`RecordSum`). */
  readonly sum: string;
  /** Length of the file of refusals in bytes. */
  readonly refusedBytes: number;
}

/** Whether the source had nothing at all. */
export const isEmpty = ({ counts, cursor }: Progress): boolean =>
  cursor === undefined && Object.keys(counts).length === 0;

/** A refused record. */
export interface RefusedLine {
  readonly kind: RecordKind;
  readonly place: string;
  readonly id?: string | undefined;
  readonly refused: string;
  readonly rule?: string | undefined;
}

/** Codes of errors where there is no room for a file. */
const fullDisk: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** The folder in which an import notes how far it has come, and what was refused. */
export class Journal {
  readonly folder: string;
  readonly #refused: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#refused = join(folder, 'refused.ndjson');
  }

  /**
   * Keeps other processes out of the folder while the work lasts; of one that was killed, nothing remains.
   * @throws ConflictError when another process works there; UnavailableError when the disk of the folder is full.
   */
  async locked<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await aloneIn(this.folder, work);
    } catch (cause) {
      // Databases have other errors for theirs.
      if (!fullDisk.includes(codeOf(cause))) throw cause;
      throw new UnavailableError(
        `The folder of the import, ${this.folder}, is on a disk that is full, or permits no more: make room there, and run the same command again to continue.`,
        { cause },
      );
    }
  }

  /**
   * Of an import that was interrupted, or has ended; undefined before the first one.
   * @throws InvalidError when the file was damaged.
   */
  async load(): Promise<Progress | undefined> {
    const file = join(this.folder, 'progress.json');
    const text = await readIfThere(file);
    if (text === undefined) return undefined;
    try {
      const { source, counts, sum, ...others }: Progress = JSON.parse(text);
      if (typeof source === 'string' && Object(counts) === counts && /^[0-9a-f]+$/.test(sum))
        return { source, counts, sum, ...others };
    } catch {
      // Below.
    }
    throw new InvalidError(
      `${file} is not the progress of an import: it was damaged or changed. Delete the folder ${this.folder} to begin anew: statements that are there already are not stored twice.`,
    );
  }

  /** Forgets refusals behind the progress that is continued, and all of them where none is. */
  async begin(progress: Progress | undefined): Promise<void> {
    try {
      await truncate(this.#refused, progress?.refusedBytes ?? 0);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  /** @returns the length of the file of refusals, with these. */
  async addRefused(lines: readonly RefusedLine[]): Promise<number> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = await open(this.#refused, 'a', 0o600);
    try {
      if (lines.length > 0) await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  /** What was refused, in the order of the source. There may be millions, so they are read one by one. */
  async *refused(): AsyncGenerator<RefusedLine> {
    try {
      for await (const { json } of itemsOf(bytesOf(this.#refused))) yield JSON.parse(json.toString());
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  save(progress: Progress): Promise<void> {
    return this.write('progress.json', progress);
  }

  /** Replaces a file of the folder as a whole. */
  async write(name: string, content: object): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, name);
    await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
