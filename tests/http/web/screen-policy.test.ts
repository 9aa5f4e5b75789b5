import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openOidc } from '../../../lib/auth/oidc/service.ts';
import { pageSecurity } from '../../../lib/http/page-security.ts';
import { screenEntrances, screenFolder } from '../../support/screen-entrances.ts';
import { standInLrs } from '../../support/stand-in-lrs.ts';
import { conditionLimit } from '../../support/time-limits.ts';

const callable = (policy: string | undefined): string | undefined =>
  /connect-src ([^;]*);/.exec(policy ?? '')?.[1];

describe('what the page may call', () => {
  it.each([
    [[], "'self'"],
    [['https://id.example.org/realms/learning'], "'self' https://id.example.org"],
    [['https://id.example.org/a', 'https://ID.example.org:443/b'], "'self' https://id.example.org"],
    [['http://127.0.0.1:8081/x', 'https://t.example'], "'self' http://127.0.0.1:8081 https://t.example"],
    [['no address', 'data:text/plain,x', 'javascript:1', 'ftp://id.example.org'], "'self'"],
    [["https://a;script-src'unsafe-inline'/", 'https://a,b/', 'https://*.example/'], "'self'"],
  ])('%j', (addresses, expected) => {
    const headers = pageSecurity({ callable: addresses });
    expect(callable(headers['Content-Security-Policy'])).toBe(expected);
    expect(headers['Content-Security-Policy']?.split('; ')).toHaveLength(10);
  });
});

describe('with an OpenID provider', () => {
  const { folder, remove } = screenFolder();
  const server = createServer((_, response) => response.end(JSON.stringify(description)));
  let issuer = '';
  let description: Record<string, string> = {};

  beforeEach(async () => {
    await listen(0);
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    issuer = `http://127.0.0.1:${address.port}`;
    description = {
      issuer,
      jwks_uri: 'https://keys.example.org/keys',
      authorization_endpoint: 'https://pages.example.org/auth',
      token_endpoint: 'https://tokens.example.org/token',
      userinfo_endpoint: `${issuer}/userinfo`,
    };
  });
  afterEach(() => stop());
  afterAll(remove);

  async function listen(port: number): Promise<void> {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  }

  async function stop(): Promise<void> {
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  }

  /** Gives what the page may call, each time that it is loaded. */
  async function openPage(env: Readonly<Record<string, string>>): Promise<() => Promise<string | undefined>> {
    const [first] = screenEntrances;
    if (first === undefined) throw new Error('there is no entrance');
    const settings = { LRS_OIDC_ISSUER: issuer, LRS_OIDC_AUDIENCE: 'https://lrs.example.org', ...env };
    const { config, logger, accounts } = await standInLrs(settings)();
    const oidc = await openOidc({ settings: config, logger, accounts, localLogins: undefined });
    const entrance = await first[1]({ folder, env: settings, parts: { oidc } });
    onTestFinished(() => entrance.close());
    return async () => {
      const { headers } = await entrance.send({ method: 'GET', path: '/' });
      return callable(headers['content-security-policy']);
    };
  }

  it('the page may call where people log in and where tokens are given, and nothing else of it', async () => {
    const page = await openPage({ LRS_OIDC_CLIENT_ID: 'screen' });
    expect(await page()).toBe(`'self' ${issuer} https://tokens.example.org`);
  });

  it('the page may call nothing of it when there is no client for the page', async () => {
    expect(await (await openPage({}))()).toBe("'self'");
  });

  it('that is away at the start the page is served, and learns the rest when the provider is back', async () => {
    const { port } = new URL(issuer);
    await stop();
    const page = await openPage({ LRS_OIDC_CLIENT_ID: 'screen' });
    expect(await page()).toBe(`'self' ${issuer}`);
    await listen(Number(port));
    const complete = `'self' ${issuer} https://tokens.example.org`;
    await vi.waitFor(async () => expect(await page()).toBe(complete), {
      timeout: conditionLimit,
      interval: 200,
    });
  });
});
