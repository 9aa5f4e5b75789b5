import { expect } from 'vitest';
import type { XapiVersion } from '../../lib/xapi/types.ts';
import type { Administration } from './admin-client.ts';
import type { ClientAnswer } from './gateway-events.ts';
import { parsed, stringMember } from './lrs-client.ts';

/** Speaks xAPI with a key pair. */
export interface KeyPairHolder {
  /** As the administration tells it. */
  readonly pair: unknown;
  xapi(method: string, path: string, request?: { query?: string; body?: unknown }): Promise<ClientAnswer>;
  /** Stores the statements as one batch. @returns their ids. */
  post(...statements: readonly object[]): Promise<string[]>;
}

export interface KeyPairOptions {
  readonly scopes?: readonly string[];
  readonly version?: XapiVersion;
}

/** Makes a key pair for everything and xAPI 1.0.3, unless the options say otherwise. */
export async function keyPairHolder(
  lrs: Administration,
  { scopes = ['all'], version = '1.0.3' }: KeyPairOptions = {},
): Promise<KeyPairHolder> {
  const token = await lrs.firstToken();
  const pair = await lrs.call('POST', '/admin/creds', { token, body: { scopes } });
  const authorization = `Basic ${btoa(`${stringMember(pair, 'api-key')}:${stringMember(pair, 'secret-key')}`)}`;
  const headers = { authorization, 'x-experience-api-version': version };
  const xapi: KeyPairHolder['xapi'] = (method, path, request) =>
    lrs.call(method, path, { ...request, headers });
  return {
    pair: parsed(pair),
    xapi,
    async post(...statements) {
      const answer = await xapi('POST', '/xapi/statements', { body: statements });
      expect([answer.status, answer.body.toString()]).toEqual([200, expect.any(String)]);
      return parsed(answer) as string[];
    },
  };
}
