import { credential as credentialTable } from '../db/tables/administration.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import { scopes as knownScopes, type Scope } from '../xapi/scopes.ts';

/** A credential as it is stored: its secret key as a hash and encrypted. */
export interface StoredCredential {
  readonly id: string;
  readonly accountId: string;
  readonly apiKey: string;
  readonly secretHash: Buffer;
  readonly secretSealed: Buffer;
  readonly label: string | null;
  readonly scopes: readonly Scope[];
}

type Row = Omit<StoredCredential, 'scopes'> & { readonly scopes: string };

export async function insertCredential(session: WriteSession, credential: StoredCredential): Promise<void> {
  const scopes = JSON.stringify(credential.scopes);
  const Credential = await session.model(credentialTable);
  await Credential.create({ ...credential, scopes, createdAt: Date.now() }, session.options);
}

/** By SQL of our own, which binds the key: what a stranger sends never becomes part of a query's text. */
export async function findByApiKey(
  session: ReadSession,
  apiKey: string,
): Promise<StoredCredential | undefined> {
  const [row] = await session.select<{
    id: string;
    account_id: string;
    api_key: string;
    secret_hash: Buffer;
    secret_sealed: Buffer;
    label: string | null;
    scopes: string;
  }>('SELECT * FROM credential WHERE api_key = :apiKey', { apiKey });
  return (
    row &&
    stored({
      id: row.id,
      accountId: row.account_id,
      apiKey: row.api_key,
      secretHash: row.secret_hash,
      secretSealed: row.secret_sealed,
      label: row.label,
      scopes: row.scopes,
    })
  );
}

/** The credentials of an account, oldest first. */
export async function listOfAccount(session: ReadSession, accountId: string): Promise<StoredCredential[]> {
  const Credential = await session.model(credentialTable);
  const rows = await Credential.findAll({
    ...session.options,
    where: { accountId },
    order: ['createdAt', 'id'],
    raw: true,
  });
  return rows.map(stored);
}

/** The credential with the id, if it is the account's. */
export async function findOfAccount(
  session: ReadSession,
  accountId: string,
  id: string,
): Promise<StoredCredential | undefined> {
  const Credential = await session.model(credentialTable);
  const row = await Credential.findOne({ ...session.options, where: { accountId, id }, raw: true });
  return row === null ? undefined : stored(row);
}

/** How many credentials an account has. */
export async function countOfAccount(session: ReadSession, accountId: string): Promise<number> {
  const Credential = await session.model(credentialTable);
  return Credential.count({ ...session.options, where: { accountId } });
}

/** The sealed secret keys of all credentials. */
export async function listSealed(
  session: ReadSession,
): Promise<Pick<StoredCredential, 'id' | 'secretSealed'>[]> {
  const Credential = await session.model(credentialTable);
  return Credential.findAll({
    ...session.options,
    attributes: ['id', 'secretSealed'],
    raw: true,
  });
}

export async function updateCredential(
  session: WriteSession,
  { id, label, scopes }: Pick<StoredCredential, 'id' | 'label' | 'scopes'>,
): Promise<void> {
  const change = { label, scopes: JSON.stringify(scopes) };
  const Credential = await session.model(credentialTable);
  await Credential.update(change, { ...session.options, where: { id } });
}

export async function replaceSecret(
  session: WriteSession,
  { id, secretHash, secretSealed }: Pick<StoredCredential, 'id' | 'secretHash' | 'secretSealed'>,
): Promise<void> {
  const Credential = await session.model(credentialTable);
  await Credential.update({ secretHash, secretSealed }, { ...session.options, where: { id } });
}

export async function deleteCredential(session: WriteSession, id: string): Promise<void> {
  const Credential = await session.model(credentialTable);
  await Credential.destroy({ ...session.options, where: { id } });
}

function stored({ id, accountId, apiKey, secretHash, secretSealed, label, scopes }: Row): StoredCredential {
  const names: readonly string[] = JSON.parse(scopes);
  return {
    id,
    accountId,
    apiKey,
    secretHash,
    secretSealed,
    label,
    scopes: knownScopes.filter((scope) => names.includes(scope)),
  };
}
