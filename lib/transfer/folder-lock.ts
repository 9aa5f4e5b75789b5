import { randomUUID } from 'node:crypto';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  utimes,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError, codeOf } from '../errors.ts';

/** How long (ms) a process may need to write its number into its lock. */
const longestWriting = 60_000;
/** How often a folder is made that another import removes at the same moment. */
const mostAttempts = 10;

export interface LockOptions {
  /** Where the number of this process is its own: the machine, or the container. */
  readonly place?: string;
  /** How often (ms) a lock is renewed, so that processes of other places see that it is held. */
  readonly renewal?: number;
  /** For how long (ms) a lock of another place is looked at before it counts as left over. */
  readonly patience?: number;
}

/** Keeps other processes out of a folder, also those of other containers or machines that share it. */
export class FolderLock {
  readonly #folder: string;
  readonly #lock: string;
  readonly #options: LockOptions;

  constructor(folder: string, options: LockOptions) {
    this.#folder = folder;
    this.#lock = join(folder, 'process');
    this.#options = options;
  }

  /** @throws ConflictError when another process works there. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    const place = this.#options.place ?? (await thisPlace());
    const isNew = await this.#enter(place);
    const { renewal = 3_000 } = this.#options;
    const renewing = setInterval(() => void renew(this.#lock), renewal).unref();
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await rm(this.#lock, { force: true });
      // A dry run leaves nothing.
      if (isNew) await rmdir(this.#folder).catch(() => {});
    }
  }

  /** @returns whether the folder is new. */
  async #enter(place: string): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const isNew = (await mkdir(this.#folder, { recursive: true, mode: 0o700 })) !== undefined;
      try {
        await this.#lockFolder(place);
        return isNew;
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || attempt === mostAttempts) throw error;
      }
    }
  }

  async #lockFolder(place: string): Promise<void> {
    if (await createFor(this.#lock, place)) return;
    if ((await this.#isLeftOver(this.#lock, place)) && (await this.#takeOver(place))) return;
    const [id, host] = (await readIfThere(this.#lock))?.trim().split(' ') ?? [];
    const elsewhere = host === undefined || place.startsWith(`${host} `) ? '' : ` on ${host}`;
    throw new ConflictError(
      `Another import works in the folder ${this.#folder}: process ${id || 'unknown'}${elsewhere}. Wait for its end, or give another folder with --folder. If that process is no import, delete ${this.#lock}.`,
    );
  }

  /**
   * Whether the process whose lock is there has ended. One without content is that of a process that is just writing it, unless it
   * stays so: then the process was killed meanwhile.
   */
  async #isLeftOver(lock: string, here: string): Promise<boolean> {
    const text = await readIfThere(lock);
    if (text === '') return Date.now() - (await modified(lock)) > longestWriting;
    const [id, ...place] = (text ?? '').trim().split(' ');
    const other = Number(id);
    if (!(other > 0)) return false;
    if (place.length > 0 && place.join(' ') !== here) return this.#isSilent(lock);
    return other === process.pid || !isAlive(other);
  }

  /** Whether a lock of another place, where no process of this one can be asked for, is renewed no more. */
  async #isSilent(lock: string): Promise<boolean> {
    const { patience = 10_000 } = this.#options;
    const before = await modified(lock);
    const begin = performance.now();
    while (performance.now() - begin < patience) {
      await sleep(Math.min(500, patience));
      if ((await modified(lock)) !== before) return false;
    }
    return true;
  }

  /**
   * Replaces the lock of a process that has ended. Several may find it so at the same moment: one of them replaces it, because
   * removing it needs a lock, too, with which it is looked at again.
   */
  async #takeOver(place: string): Promise<boolean> {
    const lock = `${this.#lock}.new`;
    if (!(await createFor(lock, place)) && !(await this.#takeOverNew(lock, place))) {
      throw new ConflictError(
        `Another import begins in the folder ${this.#folder}. Try again in a moment; if no import works there, delete ${lock}.`,
      );
    }
    try {
      if (await this.#isLeftOver(this.#lock, place)) await rm(this.#lock, { force: true });
      return await createFor(this.#lock, place);
    } finally {
      await rm(lock, { force: true });
    }
  }

  /** The same for the lock of a process that was killed while it did that. What is removed is looked at once it has another name. */
  async #takeOverNew(lock: string, place: string): Promise<boolean> {
    if (!(await this.#isLeftOver(lock, place))) return false;
    const aside = `${lock}.${randomUUID()}`;
    try {
      await rename(lock, aside);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
    const isLeftOver = await this.#isLeftOver(aside, place);
    if (!isLeftOver) await link(aside, lock).catch(() => {});
    await rm(aside, { force: true });
    return isLeftOver && (await createFor(lock, place));
  }
}

/** Creates a file that names this process. @returns false when it is there: of two processes, one creates it. */
async function createFor(lock: string, place: string): Promise<boolean> {
  const file = await openNew(lock);
  if (file === undefined) return false;
  try {
    await file.writeFile(`${process.pid} ${place}\n`);
    return true;
  } catch (error) {
    // On a full disk it is there without a content.
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Containers may have the same name, and programs in them the same number. */
async function thisPlace(): Promise<string> {
  const space = await readlink('/proc/self/ns/pid').catch(() => 'pid');
  return `${hostname()} ${space}`;
}

async function renew(lock: string): Promise<void> {
  const now = new Date();
  // It may be gone just now.
  await utimes(lock, now, now).catch(() => {});
}

/** When a file was changed; now when it is not there. It is opened, because a file system of a network asks its server then. */
async function modified(path: string): Promise<number> {
  try {
    const file = await open(path, 'r');
    try {
      return (await file.stat()).mtimeMs;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Date.now();
    throw error;
  }
}

async function openNew(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
