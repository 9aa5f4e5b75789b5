import { realpathSync, statSync } from 'node:fs';
import { OutageError } from '../../../errors.ts';
import { CommitOutcomeUnknownError } from '../../commit-outcome.ts';
import { DatabaseUnusableError } from '../../unusable.ts';

/** The files that SQLite adds to a database file: the write-ahead log and its index. */
const companions = ['-wal', '-shm'];

interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/**
 * The files of an open SQLite database. SQLite continues to write to a file that was deleted, moved or replaced, although
 * nobody who opens the database by name will find that data.
 */
export class SqliteFiles {
  /** Undefined until it was seen: SQLite creates the companions on first use. */
  readonly #seen = new Map<string, Identity | undefined>();
  #displaced: string | undefined;

  /**
   * Create it while the database is open.
   * @param file the path of the database.
   */
  constructor(file: string) {
    this.#seen.set(file, identityOf(file));
    const resolved = realpathSync(file);
    for (const companion of companions) this.#seen.set(resolved + companion, undefined);
  }

  /**
   * Call it after a commit: it throws unless the next process will find the committed data. The calls are synchronous,
   * because all three take 6 µs, less than passing one to another thread.
   * @throws CommitOutcomeUnknownError
   */
  confirmCommit(): void {
    this.#compare();
    if (this.#displaced === undefined) return;
    throw new CommitOutcomeUnknownError({ cause: outage(this.#displaced) });
  }

  /**
   * Call it before a transaction: while a file is missing nothing is written.
   * @throws OutageError
   */
  requirePresent(): void {
    if (this.#displaced !== undefined) this.#compare();
    if (this.#displaced !== undefined) throw outage(this.#displaced);
  }

  /**
   * Call it before a read that must not return data of a file without a name.
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
