import { useQuery } from '@tanstack/react-query';
import type { Scope } from '../../../lib/xapi/scopes.ts';
import { StoredText, useStoredText } from '../observable/stored-text.ts';
import { callAdmin, sendAdmin } from './client.ts';

/** A key pair for `/xapi`, of the account that is signed in. */
export interface Credential {
  readonly id: string;
  readonly 'api-key': string;
  /** Null when it was stored under another `credentialKey`; the pair can only be deleted then. */
  readonly 'secret-key': string | null;
  readonly scopes: readonly Scope[];
  readonly label?: string | null;
  /** It is the pair that the configuration names. */
  readonly 'seed?'?: true;
}

/** One that programs can use. */
export interface UsableCredential extends Credential {
  readonly 'secret-key': string;
}

export function isUsable(credential: Credential): credential is UsableCredential {
  return credential['secret-key'] !== null;
}

/** The label, else the start of the API key. */
export function nameOf({ label, 'api-key': apiKey }: Credential): string {
  return label || `${apiKey.slice(0, 8)}…`;
}

/** What can be chosen of a key pair. */
export interface Grant {
  readonly scopes: readonly Scope[];
  readonly label: string | null;
}

/** Each listing shows secrets, so the audit trail keeps it: it is not repeated whenever somebody comes back to the page. */
export const credentialsQuery = {
  queryKey: ['credentials'],
  queryFn: () => callAdmin<readonly Credential[]>('creds'),
  staleTime: 5 * 60_000,
};

/** @returns the API key of the new pair. */
export async function createCredential(grant: Grant): Promise<string> {
  const made = await callAdmin<Pick<Credential, 'api-key'>>('creds', { method: 'POST', json: grant });
  return made['api-key'];
}

export async function updateCredential(credential: UsableCredential, grant: Grant): Promise<void> {
  await sendAdmin('creds', { method: 'PUT', json: { ...pairOf(credential), ...grant } });
}

export async function deleteCredential(credential: Credential): Promise<void> {
  await sendAdmin('creds', { method: 'DELETE', json: pairOf(credential) });
}

/** Of a pair whose secret can't be read any more the server wants any text in its place. */
function pairOf(credential: Credential): Pick<UsableCredential, 'api-key' | 'secret-key'> {
  return { 'api-key': credential['api-key'], 'secret-key': credential['secret-key'] ?? 'unreadable' };
}

/** The API key alone, never its secret. */
const chosenKey = new StoredText('api-key');

export function chooseCredential(apiKey: string): void {
  chosenKey.set(apiKey);
}

/** The usable key pairs, and the one with which the screen calls `/xapi`: the one chosen last, else one whose scopes permit the most. */
export function useCredentials(): {
  readonly chosen: UsableCredential | undefined;
  readonly credentials: readonly UsableCredential[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
} {
  const { data = [], isPending, error, refetch } = useQuery(credentialsQuery);
  const credentials = data.filter(isUsable);
  const apiKey = useStoredText(chosenKey);
  const best = credentials.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  const chosen = credentials.find((each) => each['api-key'] === apiKey) ?? best;
  return { chosen, credentials, isPending, error, refetch };
}

function rankOf({ scopes }: Credential): number {
  if (scopes.includes('all')) return 3;
  if (scopes.includes('all/read')) return 2;
  return scopes.includes('statements/read') ? 1 : 0;
}
