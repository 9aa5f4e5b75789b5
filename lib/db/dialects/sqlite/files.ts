import { realpathSync, statSync } from 'node:fs';
import { OutageError } from '../../../errors.ts';
import { CommitOutcomeUnknownError } from '../../commit-outcome.ts';
import { DatabaseUnusableError } from '../../unusable.ts';

/** What SQLite puts beside the file of a database: the write-ahead log and its index. */
const companions = ['-wal', '-shm'];

interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/**
 * The files of an open SQLite database. A file that is deleted, moved or replaced stays open, and SQLite goes on writing to
 * it, although nobody who opens the database by its name will find what is written there.
 */
export class SqliteFiles {
  /** Undefined as long as it has not been seen: SQLite makes the companions when it first needs them. */
  readonly #seen = new Map<string, Identity | undefined>();
  #displaced: string | undefined;

  /** To be made while the database is open. @param file the path of the database. */
  constructor(file: string) {
    this.#seen.set(file, identityOf(file));
    const resolved = realpathSync(file);
    for (const companion of companions) this.#seen.set(resolved + companion, undefined);
  }

  /**
   * To be called after a commit: then what was committed is where the next process looks for it, or this throws. The calls
   * are synchronous, because three of them take 6 µs together, less than handing one to another thread.
   * @throws CommitOutcomeUnknownError
   */
  confirmCommit(): void {
    this.#compare();
    if (this.#displaced === undefined) return;
    throw new CommitOutcomeUnknownError({ cause: outage(this.#displaced) });
  }

  /**
   * To be called before a transaction: once a file is gone, nothing more is written until it is back.
   * @throws OutageError
   */
  requirePresent(): void {
    if (this.#displaced !== undefined) this.#compare();
    if (this.#displaced !== undefined) throw outage(this.#displaced);
  }

  /**
   * To be called before a read that is not to tell what only an unnamed file holds.
   * @throws OutageError
   */
  requireFound(): void {
    this.#compare();
    if (this.#displaced !== undefined) throw outage(this.#displaced);
  }

  #compare(): void {
    this.#displaced = undefined;
    for (const [path, seen] of this.#seen) {
      const found = identityOf(path);
      if (seen === undefined) this.#seen.set(path, found);
      else if (found?.ino !== seen.ino || found.dev !== seen.dev) this.#displaced ??= path;
    }
  }
}

function identityOf(path: string): Identity | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function outage(path: string): OutageError {
  return new OutageError('The database is out of reach.', {
    cause: new DatabaseUnusableError(adviceFor(path)),
  });
}

function adviceFor(path: string): string {
  return `The file ${path} of the database was moved, deleted or replaced while the server runs, so nothing is written any more: put the original file back. Where it no longer exists, stop the server with SIGTERM, restore the database from a backup if need be, and start again.`;
}
