import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as jose from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OidcProvider } from '../../../../lib/auth/oidc/provider.ts';
import { UnavailableError } from '../../../../lib/errors.ts';
import { createLogger } from '../../../../lib/logger.ts';
import { passSeconds } from '../../../support/clock.ts';

type Answer = (response: ServerResponse) => void;

const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const keySet = (count: number): object => ({
  keys: Array.from({ length: count }, (_, index) => ({ ...jwk, kid: `key-${index}` })),
});
const answerWith =
  (document: object): Answer =>
  (response) =>
    void response.end(JSON.stringify(document));

/** White space, which JSON permits, for as long as anybody takes it. */
const endless: Answer = (response) => {
  const spaces = Buffer.alloc(65_536, ' ');
  const write = (): void => {
    while (!response.destroyed) if (!response.write(spaces)) return void response.once('drain', write);
  };
  write();
};

describe('A provider whose documents are too large', () => {
  let server: Server;
  let issuer: string;
  let description: Answer;
  let keys: Answer;
  let requests: number;
  let log: string[];
  let provider: OidcProvider;

  beforeEach(async () => {
    requests = 0;
    log = [];
    server = createServer(({ url }, response) => {
      if (url !== '/keys') return description(response);
      requests += 1;
      keys(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    description = answerWith({ issuer, jwks_uri: `${issuer}/keys` });
    keys = answerWith(keySet(100));
    const logger = createLogger('WARN', { write: (line: string) => void log.push(line) });
    provider = new OidcProvider(jose, { issuer, verifyRemoteIssuer: true, logger });
  });
  afterEach(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  const keyOf = (kid: string) => provider.key({ alg: 'ES256', kid }, { payload: '', signature: '' });

  it('is taken with 100 keys', async () => {
    expect(await keyOf('key-99')).toMatchObject({ type: 'public' });
    expect(log).toEqual([]);
  });

  it.each<[string, Answer, string]>([
    ['more than 100 keys', answerWith(keySet(101)), 'gives 101 keys, but at most 100 are taken'],
    ['keys without end', endless, 'is longer than 1048576 bytes'],
    [
      'large keys',
      answerWith({ keys: [{ ...jwk, x: 'x'.repeat(1_048_576) }] }),
      'is longer than 1048576 bytes',
    ],
    ['no keys', answerWith({ issuer: 'me' }), 'gives no list of keys'],
    ['keys that are no JSON', (response) => void response.end('{'), 'is not JSON'],
  ])('counts as one that does not answer, and the log says why: %s', async (_, answer, reason) => {
    keys = answer;
    await expect(keyOf('key-1')).rejects.toThrow(UnavailableError);
    expect(log).toHaveLength(1);
    expect(log[0]).toContain(reason);
    keys = answerWith(keySet(1));
    await expect(keyOf('key-0')).rejects.toThrow(UnavailableError);
    expect(requests).toBe(1);
  });

  it('counts as one that does not answer, and the log says why: a description without end', async () => {
    description = endless;
    await expect(provider.issuers()).rejects.toThrow(UnavailableError);
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('openid-configuration is longer than 1048576 bytes');
  });

  it('is not asked again for each unknown key while the known ones count', async () => {
    expect(await keyOf('key-1')).toMatchObject({ type: 'public' });
    passSeconds(3);
    keys = answerWith(keySet(101));
    for (let index = 0; index < 20; index += 1) {
      await expect(keyOf(`unknown-${index}`)).rejects.toThrow(UnavailableError);
    }
    expect(requests).toBe(2);
    expect(log).toHaveLength(1);
    expect(await keyOf('key-2')).toMatchObject({ type: 'public' });
  });
});
