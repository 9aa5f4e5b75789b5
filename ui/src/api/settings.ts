import { queryOptions } from '@tanstack/react-query';
import { callAdmin, send } from './client.ts';

interface SettingName {
  readonly group: string;
  readonly key: string;
  /** The environment variable that sets it. */
  readonly env: string;
  /** Whether nobody has set it. */
  readonly default: boolean;
}

/** A key of the configuration; of a secret only whether it is set. */
export type Setting = SettingName &
  ({ readonly value: unknown } | { readonly secret: true; readonly set: boolean });

/** What runs on the server, and how it is set up. */
export interface Setup {
  readonly version: string;
  readonly node: string;
  readonly started: string;
  readonly 'supported-versions': readonly string[];
  readonly database: {
    readonly engine: string;
    readonly version: string;
    /** Bytes. */
    readonly size: number;
    /** The newest step of the schema. */
    readonly schema: string;
  };
  readonly settings: readonly Setting[];
}

export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: () => callAdmin<Setup>('settings') });

/** Whether the server is up. */
export const healthQuery = checkOf('health');
/** Whether it can read and write its database. */
export const readinessQuery = checkOf('health/ready');

/** A check is asked once: a failure is what it is there to tell. */
function checkOf(path: string) {
  return queryOptions({
    queryKey: ['check', path],
    queryFn: async ({ signal }) => {
      await send(path, { signal });
      return new Date();
    },
    retry: false,
    refetchInterval: 30_000,
  });
}

/** @returns the OpenAPI document of all routes, as JSON that people can read. */
export async function readApiDescription(): Promise<string> {
  return JSON.stringify(await callAdmin<unknown>('openapi'), null, 2);
}
