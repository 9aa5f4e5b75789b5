import { loadConfig } from '../../config/config.ts';
import type { Principal } from '../../lib/credentials/types.ts';
import { UnauthenticatedError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import type { Lrs } from '../../lib/lrs.ts';

export const principal: Principal = {
  credentialId: '5b1e4a3e-4f0c-4c7e-8a55-0d8c1f1d6f00',
  label: 'key…',
  scopes: ['all'],
  authority: { objectType: 'Agent', account: { homePage: 'http://example.org', name: 'key' } },
};

export const account = { id: 'b6c8f6a0-6d7e-4a36-9d53-6f1b8a1c2d3e', username: 'opsadmin' };

/** The Basic credentials and the token that the stand-in knows. */
export const basic = `Basic ${Buffer.from('key:se:cret').toString('base64')}`;
export const bearer = 'Bearer token';

const auditPlace = { at: 1, id: '0c6f3a52-2b5c-4f6e-9b6e-1f2a3b4c5d6e' };

const absent = (): never => {
  throw new Error('the stand-in has no such service');
};

/** An LRS without storage, for tests of the steps: it knows one key pair, one token and the time 1 s after the epoch. */
export function standInLrs(
  env: Readonly<Record<string, string>> = {},
  parts: Partial<Lrs> = {},
): () => Promise<Lrs> {
  const { config } = loadConfig({ env: { LRS_LOG_LEVEL: 'OFF', ...env }, cwd: import.meta.dirname });
  const lrs: Lrs = {
    config,
    logger: createLogger(config.logger.logLevel),
    knownConsistentThrough: () => 1_000_000,
    statements: {
      receive: absent,
      store: absent,
      get: absent,
      query: absent,
      queryExact: absent,
      measure: absent,
      consistentThrough: async () => 1_000_000,
      knownConsistentThrough: () => 1_000_000,
      finishReferences: async () => undefined,
      stop: async () => undefined,
    },
    documents: {
      get: absent,
      list: absent,
      put: absent,
      merge: absent,
      delete: absent,
      deleteAll: absent,
      restore: absent,
    },
    exports: { open: absent, expectedSize: absent },
    attachments: undefined,
    scanner: undefined,
    rateLimits: undefined,
    agents: { person: absent },
    activities: { activity: absent },
    browse: { agents: absent, activities: absent, documents: absent },
    accounts: {
      login: absent,
      create: absent,
      list: absent,
      exist: async () => true,
      find: absent,
      external: absent,
      changePassword: absent,
      resetPassword: absent,
      revokeTokens: absent,
      delete: absent,
      bootstrap: absent,
    },
    reactions: {
      create: absent,
      update: absent,
      remove: absent,
      list: absent,
      find: absent,
      listDeleted: absent,
      linksOf: absent,
      mistakesIn: absent,
      preview: absent,
      replay: absent,
    },
    tokens: { issue: absent, verify: absent, renew: absent },
    logins: { verify: async (token) => ({ account: known(token === 'token', account), token: undefined }) },
    audit: {
      begin: async () => auditPlace,
      finish: async () => {},
      record: async () => auditPlace,
      query: absent,
    },
    oneTimeTokens: { issue: absent, verify: absent, redeem: absent },
    status: { status: absent, replicas: absent, databaseServer: () => null },
    settings: { describe: absent },
    readiness: { check: async () => {} },
    erasure: { count: absent, erase: absent, resume: absent, resumeUntil: absent, stop: () => {} },
    feed: {
      register: absent,
      ensureConsumer: absent,
      removeConsumer: absent,
      pause: absent,
      resume: absent,
      list: absent,
      wake: () => {},
      start: () => {},
      stop: async () => {},
      runUntil: absent,
    },
    credentials: {
      ofAccount: absent,
      create: absent,
      list: absent,
      update: absent,
      delete: absent,
      authenticate: async (key, secret) => (key === 'key' && secret === 'se:cret' ? principal : undefined),
    },
    oidc: undefined,
    close: async () => {},
    ...parts,
  };
  return async () => lrs;
}

function known<T>(isKnown: boolean, value: T): T {
  if (!isKnown) throw new UnauthenticatedError('The token is not valid.');
  return value;
}
