import { mkdir, open, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

  constructor(folder: string) {
    this.folder = folder;
    this.#refused = join(folder, 'refused.ndjson');
  }

  /** Of an import that was interrupted, or has ended; undefined before the first one. */
  async load(): Promise<Progress | undefined> {
    const text = await readIfThere(join(this.folder, 'progress.json'));
    return text === undefined ? undefined : JSON.parse(text);
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

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
