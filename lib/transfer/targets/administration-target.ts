import { findById, findByUsername, insertAccount, type StoredAccount } from '../../accounts/store.ts';
import type { Credentials } from '../../credentials/service.ts';
import { findByApiKey } from '../../credentials/store.ts';
import type { Database } from '../../db/types.ts';
import { printable } from '../../printable.ts';
import type { ReactionService } from '../../reactions/service-types.ts';
import { counted } from '../counted.ts';
import type {
  AccountRecord,
  AdministrationRecord,
  KeyPairRecord,
  Outcome,
  ReactionRecord,
} from '../records.ts';
import { refusalOf } from '../refusal.ts';
import { sortedJson } from '../sorted-json.ts';
import { unlessText, unstorableAccount, unstorableKeyPair } from './storable.ts';

export interface AdministrationOptions {
  readonly db: Database;
  readonly credentials: Pick<Credentials, 'restore' | 'adopt' | 'authenticate'>;
  readonly reactions: Pick<ReactionService, 'create' | 'list'>;
  readonly dry: boolean;
}

interface KnownReaction {
  readonly title: string;
  readonly ruleset: unknown;
  readonly active: boolean;
}

/**
 * Stores accounts, key pairs and reactions, and compares them. What is there already stays as it is, but for a key pair that is
 * here with another id, such as the one of the configuration that the first start has made: it becomes that of the source, whose
 * statements name its id.
 */
export class AdministrationTarget {
  readonly #options: AdministrationOptions;
  /** A line for each key pair that has become one of the source. */
  readonly #adopted: string[] = [];

  constructor(options: AdministrationOptions) {
    this.#options = options;
  }

  async storeAccount(record: AccountRecord): Promise<Outcome> {
    const refusal = unstorableAccount(record);
    if (refusal !== undefined) return refusal;
    const { id, username, passwordHash, issuer } = record;
    const { db, dry } = this.#options;
    if (await db.read((session) => findByUsername(session, username))) return 'present';
    if (await db.read((session) => findById(session, id))) return { refused: 'another account has its id' };
    if (!dry) await db.write((session) => insertAccount(session, { id, username, passwordHash, issuer }));
    return 'stored';
  }

  async storeKeyPair(record: KeyPairRecord): Promise<Outcome> {
    const refusal = unstorableKeyPair(record);
    if (refusal !== undefined) return refusal;
    const { kind: _, username: __, unknownScopes: ___, ...pair } = record;
    const { db, dry, credentials } = this.#options;
    const known = await db.read((session) => findByApiKey(session, pair.apiKey));
    if (known?.id === pair.id) return 'present';
    const isSamePair = known !== undefined && (await this.#hasSecret(pair));
    if (known !== undefined && !isSamePair) return { refused: takenKey(pair) };
    if (dry) {
      if (isSamePair) this.#adopted.push(adoption(known, pair, 'It would get'));
      return isSamePair ? 'present' : 'stored';
    }
    const owner = await this.#ownerOf(record);
    if (owner === undefined) return { refused: 'the account that it belongs to is not there' };
    const { secretKey } = pair;
    if (isSamePair && secretKey !== undefined) {
      const isAdopted = await credentials.adopt({ ...pair, secretKey, accountId: owner.id });
      if (!isAdopted) return { refused: 'another key pair has its id' };
      this.#adopted.push(adoption(known, pair, 'It has got'));
      return 'present';
    }
    const isStored = await credentials.restore({ ...pair, accountId: owner.id });
    return isStored ? 'stored' : { refused: 'another key pair has its id' };
  }

  /** Which key pairs have become ones of the source: their further statements have another authority. */
  notice(): string | undefined {
    const more = this.#adopted.length - mostNamed;
    const lines = this.#adopted.slice(0, mostNamed);
    if (more > 0) lines.push(`So it is with ${counted(more, 'more key pair')}.`);
    return lines.join('\n') || undefined;
  }

  /** Whether the key pair here with this API key has the same secret key. */
  async #hasSecret({ apiKey, secretKey }: Pick<KeyPairRecord, 'apiKey' | 'secretKey'>): Promise<boolean> {
    if (secretKey === undefined) return false;
    return (await this.#options.credentials.authenticate(apiKey, secretKey)) !== undefined;
  }

  /** An account of the same name takes its key pairs, whatever its id is here. */
  #ownerOf({ accountId, username }: KeyPairRecord): Promise<StoredAccount | undefined> {
    return this.#options.db.read((session) =>
      username === undefined ? findById(session, accountId) : findByUsername(session, username),
    );
  }

  async storeReaction({ title, ruleset, active }: ReactionRecord): Promise<Outcome> {
    const { dry, reactions } = this.#options;
    const refusal = unlessText('title', title);
    if (refusal !== undefined) return refusal;
    if ((await this.#reactionsNamed(title)).length > 0) return 'present';
    if (dry) return 'stored';
    try {
      await reactions.create({ title, ruleset, active });
      return 'stored';
    } catch (error) {
      return refusalOf(error);
    }
  }

  async #reactionsNamed(wanted: string): Promise<readonly KnownReaction[]> {
    const known = await this.#options.reactions.list();
    return known.map((text): KnownReaction => JSON.parse(text)).filter(({ title }) => title === wanted);
  }

  differencesOf(record: AdministrationRecord): Promise<readonly string[] | undefined> {
    switch (record.kind) {
      case 'account':
        return this.#accountDifferences(record);
      case 'keyPair':
        return this.#keyPairDifferences(record);
      case 'reaction':
        return this.#reactionDifferences(record);
    }
  }

  async #accountDifferences(record: AccountRecord): Promise<readonly string[] | undefined> {
    const { id, username, passwordHash, issuer } = record;
    const here = await this.#options.db.read((session) => findByUsername(session, username));
    if (here === undefined) return undefined;
    return named({
      'id (an account of this name was here before)': here.id !== id,
      [hashName(passwordHash)]: passwordHash !== undefined && here.passwordHash !== passwordHash,
      issuer: here.issuer !== issuer,
    });
  }

  async #keyPairDifferences(record: KeyPairRecord): Promise<readonly string[] | undefined> {
    const { db, credentials } = this.#options;
    const { id, apiKey, secretKey, label, scopes, unknownScopes = [] } = record;
    const here = await db.read((session) => findByApiKey(session, apiKey));
    if (here === undefined) return undefined;
    const principal = secretKey === undefined ? here : await credentials.authenticate(apiKey, secretKey);
    const owner = await this.#ownerOf(record);
    return named({
      id: here.id !== id,
      'secret key': principal === undefined,
      account: here.accountId !== owner?.id,
      label: here.label !== label,
      [scopesName(unknownScopes)]:
        unknownScopes.length > 0 || !isSame([...here.scopes].sort(), [...scopes].sort()),
    });
  }

  async #reactionDifferences(record: ReactionRecord): Promise<readonly string[] | undefined> {
    const differences = (await this.#reactionsNamed(record.title)).map((here) =>
      named({
        ruleset: sortedJson(here.ruleset) !== sortedJson(record.ruleset),
        active: here.active !== record.active,
      }),
    );
    // Several may have one title.
    return differences.sort((a, b) => a.length - b.length)[0];
  }
}

/** Most key pairs that a notice names. */
const mostNamed = 20;

type Adopted = Pick<KeyPairRecord, 'apiKey' | 'scopes'>;

function adoption(here: Adopted, { apiKey, scopes }: Adopted, verb: string): string {
  const [before, now] = [here.scopes, scopes].map((names) => [...names].sort().join(', ') || 'none');
  const change = before === now ? '' : `, and its scopes: ${now} (before: ${before})`;
  return `The key pair ${apiKey} was here with another id. ${verb} the id, account and label of the source, so that its further statements have another authority${change}.`;
}

const takenKey = ({ secretKey }: Pick<KeyPairRecord, 'secretKey'>): string =>
  `another key pair has its API key${secretKey === undefined ? '' : ', with another secret key'}`;

/** Most unknown scopes that a difference names, and characters of each. */
const mostScopes = 10;
const longestScope = 40;

function scopesName(unknown: readonly string[]): string {
  if (unknown.length === 0) return 'scopes';
  const shown = unknown.slice(0, mostScopes).map((scope) => printable(scope.slice(0, longestScope)));
  if (unknown.length > mostScopes) shown.push('…');
  return `scopes (unknown here: ${shown.join(', ')})`;
}

/** After a login the password may be the same one, with another hash. */
const hashName = (hash = ''): string =>
  hash.startsWith(lrsqlMark) ? 'password hash (the first login here replaces one of lrsql)' : 'password hash';

const lrsqlMark = 'bcrypt+sha512$';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const named = (differing: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.entries(differing).flatMap(([name, differs]) => (differs ? name : []));
