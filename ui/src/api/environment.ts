import { useSuspenseQuery } from '@tanstack/react-query';
import type { XapiVersion } from '../../../lib/xapi/types.ts';
import { send } from './client.ts';

/** What `GET /admin/env` tells everybody. */
export interface Environment {
  /** Seconds. */
  readonly 'jwt-refresh-interval': number;
  /** Seconds. */
  readonly 'jwt-interaction-window': number;
  readonly 'url-prefix': string;
  readonly 'proxy-path': string | null;
  readonly 'enable-admin-delete-actor': boolean;
  readonly 'enable-admin-status': boolean;
  readonly 'enable-reactions': boolean;
  readonly 'enable-stores': boolean;
  /** The name of the store; absent in the default one. */
  readonly store?: string;
  readonly 'reaction-version': XapiVersion;
  readonly 'no-val?': boolean;
  readonly 'no-val-logout-url'?: string;
  readonly 'admin-language-code': string;
  readonly 'stmt-get-max': number;
  readonly 'supported-versions': readonly string[];
  readonly oidc?: Readonly<Record<string, unknown>>;
  readonly 'oidc-enable-local-admin'?: boolean;
  /** There is no account yet that could sign in. */
  readonly 'no-accounts'?: true;
}

export const environmentQuery = {
  queryKey: ['environment'],
  queryFn: async (): Promise<Environment> => (await send('admin/env')).json(),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Below `Gate` it is always there. */
export function useEnvironment(): Environment {
  return useSuspenseQuery(environmentQuery).data;
}
