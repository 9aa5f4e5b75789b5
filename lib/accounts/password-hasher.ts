import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../errors.ts';
import { isLrsqlHash, isUsableCost } from './lrsql-password.mjs';

interface Answer {
  readonly id: number;
  readonly result?: string | boolean;
  readonly error?: unknown;
}

interface Waiting {
  readonly resolve: (result: string | boolean | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Passwords that wait for the thread, some seconds of its work: later ones would be answered when nobody waits any more. */
const mostWaiting = 100;

/** A hash of the same cost that no password matches: what an unknown user's password is compared with. */
const nobodysHash = '$2b$10$vtyohWWUiZP9ZMuVQlUoUelZcQqbrJQ9YYreqHhYXZqtSqMWBrg1m';

/**
 * Hashes passwords with bcrypt. That takes some 50 ms of a processor, so it is done in a thread of its own, which starts
 * with the first password and does not keep the process alive while it has nothing to do.
 */
export class PasswordHasher {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** A bcrypt hash in its text form, with its own salt. @throws UnavailableError while too many wait. */
  async hash(password: string): Promise<string> {
    return String(await this.#run({ text: condensed(password) }));
  }

  /** Whether a hash is one of another store, which is to be replaced when its password is known. */
  isForeign(hash: string): boolean {
    return isLrsqlHash(hash);
  }

  /**
   * Whether the password has the hash. Takes as long, and is false, when there is no hash to compare with, or one that an import
   * has brought and that is none, or would keep the thread busy for minutes.
   * @throws UnavailableError while too many wait.
   */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const usable = hash !== undefined && isUsable(hash) ? hash : undefined;
    const equal = await this.#run({ text: condensed(password), hash: usable ?? nobodysHash });
    return equal === true && usable !== undefined;
  }

  #run(task: { readonly text: string; readonly hash?: string }): Promise<string | boolean | undefined> {
    if (this.#waiting.size >= mostWaiting) {
      return Promise.reject(new UnavailableError('Too many people log in at this moment; try again.'));
    }
    return new Promise((resolve, reject) => {
      const worker = this.#started();
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      worker.ref();
      worker.postMessage({ id: this.#lastId, ...task });
    });
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./password-worker.mjs', import.meta.url));
    worker.on('message', (answer: Answer) => this.#settle(worker, answer));
    worker.on('error', (error) => this.#abandon(worker, error));
    worker.on('exit', () => this.#abandon(worker, new Error('The thread that hashes passwords has ended.')));
    this.#worker = worker;
    return worker;
  }

  #settle(worker: Worker, { id, result, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) worker.unref();
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(error);
  }

  /** The next password starts a new thread. */
  #abandon(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** That of the process: its stores share one thread, which takes some 14 MB. */
export const passwordHasher = new PasswordHasher();

/**
 * bcrypt looks at 72 bytes at most and stops at a NUL; through this every byte of a password counts. The thread needs the
 * digest for hashes of lrsql, too.
 */
const condensed = (password: string): string => createHash('sha512').update(password).digest('base64');

const bcryptHash = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

function isUsable(hash: string): boolean {
  const [, cost] = bcryptHash.exec(hash) ?? [];
  return cost === undefined ? isLrsqlHash(hash) : isUsableCost(Number(cost));
}
