import { expect } from 'vitest';
import type { Administration } from './admin-client.ts';
import type { ClientAnswer } from './gateway-events.ts';
import { parsed, stringMember } from './lrs-client.ts';

/** Speaks xAPI 1.0.3 with a key pair that may do everything. */
export interface KeyPairHolder {
  xapi(method: string, path: string, request?: { query?: string; body?: unknown }): Promise<ClientAnswer>;
  /** Stores the statements as one batch. @returns their ids. */
  post(...statements: readonly object[]): Promise<string[]>;
}

export async function keyPairHolder(lrs: Administration): Promise<KeyPairHolder> {
  const pair = await lrs.call('POST', '/admin/creds', {
    token: await lrs.login(),
    body: { scopes: ['all'] },
  });
  const authorization = `Basic ${btoa(`${stringMember(pair, 'api-key')}:${stringMember(pair, 'secret-key')}`)}`;
  const headers = { authorization, 'x-experience-api-version': '1.0.3' };
  const xapi: KeyPairHolder['xapi'] = (method, path, request) =>
    lrs.call(method, path, { ...request, headers });
  return {
    xapi,
    async post(...statements) {
      const answer = await xapi('POST', '/xapi/statements', { body: statements });
      expect([answer.status, answer.body.toString()]).toEqual([200, expect.any(String)]);
      return parsed(answer) as string[];
    },
  };
}
