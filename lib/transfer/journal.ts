import { mkdir, open, readFile, rename, rm, rmdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConflictError, InvalidError } from '../errors.ts';
import type { Position } from '../statements/types.ts';
import type { Cursor, RecordKind } from './records.ts';

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

/** The folder in which an import notes how far it has come, and what was refused. */
export class Journal {
  readonly folder: string;
  readonly #refused: string;
  readonly #lock: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#refused = join(folder, 'refused.ndjson');
    this.#lock = join(folder, 'process');
  }

  /**
   * Keeps other processes out of the folder while the work lasts; of one that was killed, nothing remains.
   * @throws ConflictError when another process works there.
   */
  async locked<Result>(work: () => Promise<Result>): Promise<Result> {
    const isNew = (await mkdir(this.folder, { recursive: true, mode: 0o700 })) !== undefined;
    await this.#requireNoOther();
    await writeFile(this.#lock, `${process.pid}\n`, { mode: 0o600 });
    try {
      return await work();
    } finally {
      await rm(this.#lock, { force: true });
      // A dry run leaves nothing.
      if (isNew) await rmdir(this.folder).catch(() => {});
    }
  }

  async #requireNoOther(): Promise<void> {
    const other = Number((await readIfThere(this.#lock)) ?? 0);
    if (!(other > 0) || other === process.pid || !isAlive(other)) return;
    throw new ConflictError(
      `Another import works in the folder ${this.folder}: process ${other}. Wait for its end, or give another folder with --folder. If that process is no import, delete ${this.#lock}.`,
    );
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
    if ((await readIfThere(this.#refused)) !== undefined) {
      await truncate(this.#refused, progress?.refusedBytes ?? 0);
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

  async refused(): Promise<RefusedLine[]> {
    const text = (await readIfThere(this.#refused)) ?? '';
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
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

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
