import { useQuery } from '@tanstack/react-query';
import { StoredText, useStoredText } from '../session/stored-text.ts';
import { callAdmin } from './client.ts';

/** A key pair for `/xapi`, of the account that is signed in. */
export interface Credential {
  readonly 'api-key': string;
  readonly 'secret-key': string;
  readonly scopes: readonly string[];
  readonly label?: string | null;
}

export const credentialsQuery = {
  queryKey: ['credentials'],
  queryFn: () => callAdmin<readonly Credential[]>('creds'),
};

/** The API key alone, never its secret. */
const chosenKey = new StoredText('api-key');

export function chooseCredential(apiKey: string): void {
  chosenKey.set(apiKey);
}

/** The key pairs, and the one with which the screen calls `/xapi`: the one chosen last, else one whose scopes permit the most. */
export function useCredentials(): {
  readonly chosen: Credential | undefined;
  readonly credentials: readonly Credential[];
  readonly isPending: boolean;
  readonly error: Error | null;
} {
  const { data: credentials = [], isPending, error } = useQuery(credentialsQuery);
  const apiKey = useStoredText(chosenKey);
  const best = credentials.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  const chosen = credentials.find((each) => each['api-key'] === apiKey) ?? best;
  return { chosen, credentials, isPending, error };
}

function rankOf({ scopes }: Credential): number {
  if (scopes.includes('all')) return 3;
  if (scopes.includes('all/read')) return 2;
  return scopes.includes('statements/read') ? 1 : 0;
}
