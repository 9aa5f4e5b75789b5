import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { SignJWT } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import { browserLogin, screen } from './openid-login.ts';

/** A real OpenID provider on 127.0.0.1. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** An access token of a client that speaks for itself (client credentials). */
  clientToken(scope: string, resource?: string): Promise<string>;
  /** An access token of a user who has logged in with a browser (authorization code with PKCE). */
  userToken(user: string, scope: string, resource?: string): Promise<string>;
  /** What the provider's key signs, with good claims unless others are given (undefined: none). */
  signed(claims: object, header?: object): Promise<string>;
  /** Signs with other keys from now on; the old ones are gone. */
  rotateKeys(): void;
  /** Answers no more, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** How often a path was asked for. */
  requests(path: string): number;
}

/** The audience of tokens for the LRS. */
export const audience = 'https://lrs.example.org';
export const otherAudience = 'https://other.example.org';

export const clientId = 'course-player';
/** Users who get no refresh token, and not the scope `admin`. */
export const unrenewable = 'una';
export const learner = 'lea';

const clientSecret = 'a-secret-of-the-test-and-nothing-else';

const lrsScopes = ['admin', 'all', 'all/read', 'statements/read', 'statements/read/mine', 'statements/write'];
const scope = lrsScopes.flatMap((name) => [name, `lrs:${name}`]).join(' ');

const tenMinutes = 600;

const configuration: Configuration = {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    },
    {
      client_id: screen.clientId,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [screen.redirectUri, screen.pageUri],
      post_logout_redirect_uris: [screen.pageUri],
    },
  ],
  clientBasedCORS: () => true,
  issueRefreshToken: (_, client, code) =>
    client.grantTypeAllowed('refresh_token') && code.accountId !== unrenewable,
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: {
      logoutSource: (ctx, form) => {
        ctx.body = `<title>Leave?</title>${form}<button form="op.logoutForm" name="logout" value="yes">Leave</button>`;
      },
    },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        scope,
        audience: resource === otherAudience ? otherAudience : audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 600,
      }),
    },
  },
  ttl: {
    ClientCredentials: (_, { resourceServer }) => resourceServer?.accessTokenTTL ?? tenMinutes,
    AccessToken: (_, { resourceServer }) => resourceServer?.accessTokenTTL ?? tenMinutes,
    AuthorizationCode: tenMinutes,
    IdToken: tenMinutes,
    Interaction: tenMinutes,
    Session: tenMinutes,
    Grant: tenMinutes,
  },
  interactions: { url: () => '/interaction' },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  extraTokenClaims: (_, token) => ('accountId' in token ? { email: `${token.accountId}@example.org` } : {}),
};

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

function newKey(): SigningKey {
  return { kid: randomUUID(), privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey };
}

function providerWith({ kid, privateKey }: SigningKey, issuer: string): Provider {
  const jwk = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', kid, alg: 'RS256', use: 'sig' };
  return new Provider(issuer, {
    ...configuration,
    jwks: { keys: [jwk] },
    cookies: { keys: [randomUUID()] },
  });
}

class LocalProvider implements OpenIdProvider {
  readonly issuer: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #requests = new Map<string, number>();
  #key = newKey();
  #provider: Provider;

  constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    this.issuer = `http://127.0.0.1:${port}`;
    this.#provider = providerWith(this.#key, this.issuer);
    server.on('request', (request, response) => this.#answer(request, response));
  }

  async clientToken(wanted: string, resource = audience): Promise<string> {
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: wanted, resource }),
    });
    return accessToken(response);
  }

  async userToken(user: string, wanted: string, resource = audience): Promise<string> {
    return accessToken(await browserLogin(this.issuer, { user, scope: wanted, resource }));
  }

  signed(claims: object, header: object = {}): Promise<string> {
    const exp = Math.floor(Date.now() / 1000) + tenMinutes;
    const good = {
      iss: this.issuer,
      aud: audience,
      sub: 'ann',
      client_id: clientId,
      scope: 'all admin',
      exp,
    };
    return new SignJWT({ ...good, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: this.#key.kid, ...header })
      .sign(this.#key.privateKey);
  }

  rotateKeys(): void {
    this.#key = newKey();
    this.#provider = providerWith(this.#key, this.issuer);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async start(): Promise<void> {
    await listen(this.#server, this.#port);
  }

  requests(path: string): number {
    return this.#requests.get(path) ?? 0;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '';
    this.#requests.set(path, this.requests(path) + 1);
    if (path === '/interaction') await this.#consent(request, response);
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else await this.#provider.callback()(request, response);
  }

  /** Stands in for the pages on which a person would log in, unless a hint says as whom, and agree. */
  async #consent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const typed = new URL(request.url ?? '', this.issuer).searchParams.get('login');
      const accountId = params.login_hint ?? typed;
      if (accountId === null) return askWho(response);
      const login = { accountId: String(accountId) };
      return provider.interactionFinished(request, response, { login });
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: screen.clientId });
    grant.addOIDCScope('openid');
    const resource = String(params.resource);
    grant.addResourceScope(resource, String(params.scope));
    if (session?.accountId === learner) grant.rejectResourceScope(resource, 'admin');
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent });
  }
}

function askWho(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html');
  response.end(
    '<title>Who?</title><form><label>Login <input name="login"></label><button>Go</button></form>',
  );
}

/** Starts a provider with keys of its own on a free port. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const server = createServer();
  return new LocalProvider(server, await listen(server, 0));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function accessToken(response: Response): Promise<string> {
  const body: unknown = await response.json();
  const token: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'access_token') : undefined;
  if (typeof token === 'string') return token;
  throw new Error(`The provider gives no token: ${response.status} ${JSON.stringify(body)}`);
}
