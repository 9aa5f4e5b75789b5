import { UnavailableError } from '../errors.ts';

/** There is no memory for work that need not be done now. */
export class MemoryUsedUp extends Error {
  override readonly name = 'MemoryUsedUp';
}

/** Others have had the reserve for too long. */
export class ReserveTaken extends UnavailableError {
  constructor() {
    super(
      'Other reactions, replays or previews need the memory for reactions (lrs.reactionMaxMemory): try again.',
    );
  }
}

/** The parts of `reactionMaxMemory`. */
const parts = { shared: 1 / 4, reserve: 3 / 4, oneSearch: 3 / 8, oneTrigger: 3 / 8 } as const;
/** So much of the shared part is for accounts that go first. */
const keptForFirst = 1 / 2;

/** How long (ms) work waits for the reserve before it is given up. */
const longestWait = 10_000;

interface Waiting {
  readonly account: MemoryAccount;
  readonly enter: () => void;
}

/**
 * The memory that all reactions of a process may take together, as estimated: for the statements they look at, and for those
 * they make until these are stored. Everybody may take of the shared part, of which half is for accounts that go first. Who needs
 * more takes it from the reserve, which one account has at a time, so that nobody waits who has some of it. The reserve suffices
 * for one search and for what one trigger makes, so nothing fails because of what others take.
 */
export class ReactionMemory {
  readonly #most: number;
  readonly #waiting: Waiting[] = [];
  #free: number;
  #holder: MemoryAccount | undefined;

  /** @param most bytes (`reactionMaxMemory`). */
  constructor(most: number) {
    this.#most = most;
    this.#free = most * parts.shared;
  }

  /** The bytes that an account may take from the reserve. */
  get reserve(): number {
    return this.#most * parts.reserve;
  }

  /** @param goesFirst whether it gets memory before accounts that do not, even if they have waited for longer. */
  open({ goesFirst = false } = {}): MemoryAccount {
    return new MemoryAccount(this, goesFirst);
  }

  /** @returns whether the shared part had as much for the account. */
  takeShared(bytes: number, { goesFirst }: MemoryAccount): boolean {
    const kept = goesFirst ? 0 : this.#most * parts.shared * keptForFirst;
    if (bytes > this.#free - kept) return false;
    this.#free -= bytes;
    return true;
  }

  giveShared(bytes: number): void {
    this.#free += bytes;
  }

  /** @throws ReserveTaken when others have the reserve for too long. */
  async enterReserve(account: MemoryAccount): Promise<void> {
    if (this.#holder === account) return;
    if (this.#holder === undefined) this.#holder = account;
    else await this.#turnOf(account);
  }

  hasReserve(account: MemoryAccount): boolean {
    return this.#holder === account;
  }

  /** Whether an account that goes first waits for the reserve, which this one has. */
  holdsUp(account: MemoryAccount): boolean {
    return this.#holder === account && this.#waiting[0]?.account.goesFirst === true;
  }

  leaveReserve(account: MemoryAccount): void {
    if (this.#holder !== account) return;
    const next = this.#waiting.shift();
    this.#holder = next?.account;
    next?.enter();
  }

  #turnOf(account: MemoryAccount): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new ReserveTaken());
      };
      const timer = setTimeout(giveUp, longestWait);
      const waiting = {
        account,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const place = account.goesFirst ? this.#waiting.findIndex((each) => !each.account.goesFirst) : -1;
      this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, waiting);
    });
  }
}

/** What a turn of reactions, or a preview, takes. */
export class MemoryAccount {
  readonly goesFirst: boolean;
  readonly #memory: ReactionMemory;
  #shared = 0;
  #reserved = 0;
  #isClosed = false;

  constructor(memory: ReactionMemory, goesFirst: boolean) {
    this.#memory = memory;
    this.goesFirst = goesFirst;
  }

  /** Whether what goes first waits for memory that this account has. */
  get isAwaited(): boolean {
    return this.#memory.holdsUp(this);
  }

  /** @param mayWait whether it may take from the reserve; otherwise what finds nothing in the shared part is given up. */
  share(mayWait: boolean, whileWaiting: WhileWaiting = (wait) => wait()): MemoryShare {
    return new MemoryShare(this, mayWait, whileWaiting);
  }

  /** @returns whether there was as much. */
  take(bytes: number, mayUseReserve: boolean): boolean {
    if (this.#isClosed) return false;
    if (this.#memory.takeShared(bytes, this)) {
      this.#shared += bytes;
      return true;
    }
    const { reserve } = this.#memory;
    if (!mayUseReserve || !this.#memory.hasReserve(this) || this.#reserved + bytes > reserve) return false;
    this.#reserved += bytes;
    return true;
  }

  /**
   * Takes bytes from the reserve, once nobody else has it.
   * @returns whether it has as much; it has not what the account takes already.
   * @throws ReserveTaken when others have it for too long.
   */
  async takeReserved(bytes: number): Promise<boolean> {
    do {
      await this.#memory.enterReserve(this);
      if (this.#isClosed) this.#memory.leaveReserve(this);
      else if (this.take(bytes, true)) return true;
      // What the account gave back meanwhile may have ended its hold.
    } while (!this.#isClosed && !this.#memory.hasReserve(this));
    return false;
  }

  give(bytes: number): void {
    const reserved = Math.min(bytes, this.#reserved);
    const shared = Math.min(bytes - reserved, this.#shared);
    this.#reserved -= reserved;
    this.#shared -= shared;
    this.#memory.giveShared(shared);
    if (this.#reserved === 0) this.#memory.leaveReserve(this);
  }

  /** Gives back all that is taken. */
  close(): void {
    this.#isClosed = true;
    this.give(this.#reserved + this.#shared);
  }
}

/** Does the waiting; it may measure how long that takes. */
type WhileWaiting = (wait: () => Promise<boolean>) => Promise<boolean>;

/** What one of several takes that have an account together, such as the triggers of a turn. */
export class MemoryShare {
  readonly #account: MemoryAccount;
  readonly #mayWait: boolean;
  readonly #whileWaiting: WhileWaiting;
  #taken = 0;

  constructor(account: MemoryAccount, mayWait: boolean, whileWaiting: WhileWaiting) {
    this.#account = account;
    this.#mayWait = mayWait;
    this.#whileWaiting = whileWaiting;
  }

  /** Bytes. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes bytes, at once or when the promise is fulfilled.
   * @throws MemoryUsedUp, ReserveTaken.
   */
  take(bytes: number): Promise<void> | undefined {
    if (!this.#account.take(bytes, this.#mayWait)) return this.#wait(bytes);
    this.#taken += bytes;
    return undefined;
  }

  /** Takes bytes if they are there at once. @returns whether they were. */
  takeNow(bytes: number): boolean {
    const taken = this.#account.take(bytes, false);
    if (taken) this.#taken += bytes;
    return taken;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
    this.#account.give(bytes);
  }

  async #wait(bytes: number): Promise<void> {
    const taken = this.#mayWait && (await this.#whileWaiting(() => this.#account.takeReserved(bytes)));
    if (!taken) throw new MemoryUsedUp('There is no memory left (lrs.reactionMaxMemory).');
    this.#taken += bytes;
  }
}

/** The most that one reaction may take to find what matches one trigger (bytes). */
export function mostForSearch({ reactionMaxMemory }: { readonly reactionMaxMemory: number }): number {
  return reactionMaxMemory * parts.oneSearch;
}

/** The most that the statements may take that all reactions make of one trigger (bytes). */
export function mostForTrigger({ reactionMaxMemory }: { readonly reactionMaxMemory: number }): number {
  return reactionMaxMemory * parts.oneTrigger;
}
