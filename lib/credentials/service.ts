import { randomBytes, randomUUID } from 'node:crypto';
import { refuseEnded } from '../accounts/still-there.ts';
import type { AccountKeyPairs, Login } from '../accounts/types.ts';
import type { Database, ReadSession, WriteSession } from '../db/types.ts';
import { ConflictError, NotFoundError } from '../errors.ts';
import { mapInTurns } from '../in-turns.ts';
import type { Scope } from '../xapi/scopes.ts';
import type { AuthorityOf } from './authority-template.ts';
import type { SecretBox } from './secret-box.ts';
import {
  countOfAccount,
  deleteCredential,
  findByApiKey,
  findOfAccount,
  insertCredential,
  listOfAccount,
  listSealed,
  replaceSecret,
  type StoredCredential,
  updateCredential,
} from './store.ts';
import type { Credential, CredentialService, ListedCredential, OwnedPrincipal, Principal } from './types.ts';
import { VerifiedPairs } from './verified-pairs.ts';

export interface KeyPair {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** A pair as another store has it. */
export interface RestoredPair extends Grant {
  readonly id: string;
  readonly accountId: string;
  readonly apiKey: string;
  /** undefined where it is not known. */
  readonly secretKey?: string | undefined;
}

interface Grant {
  readonly scopes: readonly Scope[];
  readonly label: string | null;
}

export interface CredentialOptions {
  readonly box: SecretBox;
  readonly authorityOf: AuthorityOf;
  /** Most pairs of one account. */
  readonly maxPerAccount: number;
  /** The pair that the configuration gives to the first account. */
  readonly seedPair?: KeyPair;
}

/** Of an API key that has no label. */
const shownCharacters = 8;
const keyBytes = 32;
const newKey = (): string => randomBytes(keyBytes).toString('hex');

/** What other modules need beside the service. */
export interface Credentials extends CredentialService, AccountKeyPairs {
  /**
   * Takes over a pair of another store, with its id; one without a secret key gets a new one.
   * @returns false when its API key or its id is in use.
   */
  restore(pair: RestoredPair): Promise<boolean>;
  /**
   * Gives a pair with the same API key and secret key the id, account, label and scopes that it has in another store.
   * @returns whether there is such a pair, and no other one has the id.
   */
  adopt(pair: RestoredPair & KeyPair): Promise<boolean>;
  /**
   * Gives a pair of any account a new secret key: the old one counts no more.
   * @throws NotFoundError
   */
  rotate(apiKey: string): Promise<KeyPair>;
  /** Deletes a pair of any account, whose secret key need not be known. @throws NotFoundError */
  remove(apiKey: string): Promise<void>;
  /** How many pairs can't be used any more, because they were stored under another `credentialKey`. */
  countUnreadable(): Promise<number>;
}

/** The key pairs with which xAPI clients authenticate. */
export function createCredentialService(db: Database, options: CredentialOptions): Credentials {
  return new DatabaseCredentials(db, options);
}

class DatabaseCredentials implements Credentials {
  readonly #verified = new VerifiedPairs();
  readonly #db: Database;
  readonly #box: SecretBox;
  readonly #authorityOf: AuthorityOf;
  readonly #maxPerAccount: number;
  readonly #seedPair: KeyPair | undefined;

  constructor(db: Database, { box, authorityOf, maxPerAccount, seedPair }: CredentialOptions) {
    this.#db = db;
    this.#box = box;
    this.#authorityOf = authorityOf;
    this.#maxPerAccount = maxPerAccount;
    this.#seedPair = seedPair;
  }

  async create(caller: Login, scopes: readonly Scope[], label: string | null): Promise<Credential> {
    const { id: accountId } = caller.account;
    const pair = { apiKey: newKey(), secretKey: newKey() };
    const row = this.#row(accountId, pair, { scopes, label });
    await this.#db.write(async (session) => {
      await refuseEnded(session, caller);
      await this.#requireRoom(session, accountId);
      await insertCredential(session, row);
    });
    return this.#shown(row, pair.secretKey);
  }

  async restore({ id, accountId, apiKey, secretKey = newKey(), ...grant }: RestoredPair): Promise<boolean> {
    const row = this.#row(accountId, { apiKey, secretKey }, grant, id);
    try {
      await this.#db.write((session) => insertCredential(session, row));
      return true;
    } catch (error) {
      if (this.#db.dialect.isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async adopt({ id, accountId, apiKey, secretKey, ...grant }: RestoredPair & KeyPair): Promise<boolean> {
    const row = this.#row(accountId, { apiKey, secretKey }, grant, id);
    try {
      const isAdopted = await this.#db.write(async (session) => {
        const here = await findByApiKey(session, apiKey);
        if (here === undefined || !this.#box.matches(secretKey, here.secretHash)) return false;
        await deleteCredential(session, here.id);
        await insertCredential(session, row);
        return true;
      });
      this.forgetVerified();
      return isAdopted;
    } catch (error) {
      if (this.#db.dialect.isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async #requireRoom(session: ReadSession, accountId: string): Promise<void> {
    const most = this.#maxPerAccount;
    if ((await countOfAccount(session, accountId)) < most) return;
    throw new ConflictError(
      `The account has as many key pairs as lrs.accountMaxKeyPairs (LRS_ACCOUNT_MAX_KEY_PAIRS) permits, ${most}: delete some, or have it raised.`,
    );
  }

  async list(accountId: string): Promise<ListedCredential[]> {
    const rows = await this.#db.read((session) => listOfAccount(session, accountId), { large: true });
    return mapInTurns(rows, (row) => {
      const secretKey = this.#secretKeyOf(row);
      return { ...this.#shown(row, secretKey ?? ''), secretKey };
    });
  }

  async countUnreadable(): Promise<number> {
    const rows = await this.#db.read(listSealed);
    return rows.filter((row) => this.#secretKeyOf(row) === null).length;
  }

  async update(caller: Login, pair: KeyPair, change: Grant): Promise<Credential> {
    const row = await this.#db.write(async (session) => {
      await refuseEnded(session, caller);
      const changed = { ...(await this.#owned(session, caller.account.id, pair)), ...change };
      await updateCredential(session, changed);
      return changed;
    });
    this.forgetVerified();
    return this.#shown(row, pair.secretKey);
  }

  async delete(caller: Login, pair: KeyPair): Promise<void> {
    const { id: accountId } = caller.account;
    await this.#db.write(async (session) => {
      await refuseEnded(session, caller);
      const row = await findByApiKey(session, pair.apiKey);
      const lost = row?.accountId === accountId && this.#secretKeyOf(row) === null;
      const { id } = lost ? row : await this.#owned(session, accountId, pair);
      await deleteCredential(session, id);
    });
    this.forgetVerified();
  }

  async rotate(apiKey: string): Promise<KeyPair> {
    const secretKey = newKey();
    await this.#db.write(async (session) => {
      const { id } = await known(session, apiKey);
      const secretSealed = this.#box.seal(secretKey, id);
      await replaceSecret(session, { id, secretHash: this.#box.hash(secretKey), secretSealed });
    });
    this.forgetVerified();
    return { apiKey, secretKey };
  }

  async remove(apiKey: string): Promise<void> {
    await this.#db.write(async (session) => {
      const { id } = await known(session, apiKey);
      await deleteCredential(session, id);
    });
    this.forgetVerified();
  }

  authenticate(apiKey: string, secretKey: string): Principal | Promise<Principal | undefined> {
    return this.#verified.get(apiKey, secretKey, () => this.#principal(apiKey, secretKey));
  }

  async ofAccount(accountId: string, credentialId: string): Promise<OwnedPrincipal | undefined> {
    const row = await this.#db.read((session) => findOfAccount(session, accountId, credentialId));
    return row && { principal: this.#principalOf(row), apiKey: row.apiKey };
  }

  async seed(session: WriteSession, accountId: string): Promise<void> {
    const pair = this.#seedPair;
    if (pair === undefined || (await findByApiKey(session, pair.apiKey))) return;
    await insertCredential(session, this.#row(accountId, pair, { scopes: ['all'], label: null }));
  }

  async hasSeed(): Promise<boolean> {
    return this.#seedPair === undefined || (await this.#matching(this.#seedPair)) !== undefined;
  }

  forgetVerified(): void {
    this.#verified.forget();
  }

  async #principal(apiKey: string, secretKey: string): Promise<Principal | undefined> {
    const row = await this.#matching({ apiKey, secretKey });
    return row && this.#principalOf(row);
  }

  #principalOf(row: StoredCredential): Principal {
    const label = row.label || `${row.apiKey.slice(0, shownCharacters)}…`;
    return { credentialId: row.id, label, scopes: row.scopes, authority: this.#authorityOf(row) };
  }

  async #matching({ apiKey, secretKey }: KeyPair): Promise<StoredCredential | undefined> {
    const row = await this.#db.read((session) => findByApiKey(session, apiKey), { byKey: true });
    return row !== undefined && this.#box.matches(secretKey, row.secretHash) ? row : undefined;
  }

  async #owned(
    session: ReadSession,
    accountId: string,
    { apiKey, secretKey }: KeyPair,
  ): Promise<StoredCredential> {
    const row = await findByApiKey(session, apiKey);
    if (row?.accountId !== accountId || !this.#box.matches(secretKey, row.secretHash)) {
      throw new NotFoundError('The account has no such key pair.');
    }
    return row;
  }

  /** Null when it was sealed under another `credentialKey`. */
  #secretKeyOf({ id, secretSealed }: Pick<StoredCredential, 'id' | 'secretSealed'>): string | null {
    try {
      return this.#box.open(secretSealed, id);
    } catch {
      return null;
    }
  }

  #row(
    accountId: string,
    { apiKey, secretKey }: KeyPair,
    { scopes, label }: Grant,
    id: string = randomUUID(),
  ): StoredCredential {
    const secretHash = this.#box.hash(secretKey);
    return { id, accountId, apiKey, secretHash, secretSealed: this.#box.seal(secretKey, id), scopes, label };
  }

  #shown({ id, apiKey, label, scopes }: StoredCredential, secretKey: string): Credential {
    const seed = apiKey === this.#seedPair?.apiKey && secretKey === this.#seedPair.secretKey;
    return { id, apiKey, secretKey, label, scopes, seed };
  }
}

async function known(session: ReadSession, apiKey: string): Promise<StoredCredential> {
  const row = await findByApiKey(session, apiKey);
  if (row === undefined) throw new NotFoundError(`There is no key pair ${apiKey}.`);
  return row;
}
