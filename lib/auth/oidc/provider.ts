import type { FetchImplementation, JWTVerifyGetKey, RemoteJWKSet } from 'jose';
import { InvalidError, UnavailableError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { fetchDocument, fetchKeys } from './fetch-document.ts';
import type { Jose } from './types.ts';

export interface ProviderOptions {
  /** The `iss` of tokens, and the address below which the provider describes itself. */
  readonly issuer: string;
  /** Whether the provider must call itself exactly that. If not, tokens may name either. */
  readonly verifyRemoteIssuer: boolean;
  readonly logger: Logger;
}

/** What a provider says about itself (OpenID Connect Discovery 1.0, section 3), as far as it is used here. */
interface Description {
  readonly issuer: string;
  readonly keys: RemoteJWKSet;
  /** The addresses that a page calls to log in; a page is sent to the others. */
  readonly endpoints: readonly string[];
}

/** No request waits longer for an answer of the provider. */
const timeoutMs = 5000;
/** For so long the provider is left alone after it failed, and after its keys were read because of an unknown one. */
const pauseMs = 2000;
/** Keys that were read longer ago are read again, beside the requests. */
const refreshMs = 10 * 60_000;
/** Keys count for so long when they can't be read again. */
const graceMs = 60 * 60_000;

/** An OpenID provider as a resource server sees it: what it is called, and the keys that it signs with. */
export class OidcProvider {
  readonly #jose: Jose;
  readonly #options: ProviderOptions;
  #description: Promise<Description> | undefined;
  #pausedUntil = 0;
  #refreshAt = 0;

  constructor(jose: Jose, options: ProviderOptions) {
    this.#jose = jose;
    this.#options = options;
  }

  /**
   * Asks the provider for its description; one that does not answer is asked again by the first token.
   * @throws InvalidError when it is another provider than the one configured.
   */
  async start(): Promise<void> {
    try {
      this.#description = Promise.resolve(await this.#describe());
    } catch (error) {
      if (error instanceof InvalidError) throw error;
      this.#failed(error);
    }
  }

  /**
   * The names that tokens may have as `iss`.
   * @throws UnavailableError until the provider has described itself.
   */
  async issuers(): Promise<string[]> {
    const { issuer } = await this.#described();
    return [...new Set([this.#options.issuer, issuer])];
  }

  /** The addresses that a page calls to log in; none while the provider has not described itself. */
  async endpoints(): Promise<readonly string[]> {
    try {
      return (await this.#described()).endpoints;
    } catch {
      return [];
    }
  }

  /**
   * The key that a token is signed with.
   * @throws UnavailableError when the provider does not give its keys; an error of jose when the token names none of them.
   */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    const { keys } = await this.#described();
    if (keys.fresh) this.#refreshBeside(keys);
    else this.#refusePaused();
    try {
      return await keys(header, token);
    } catch (error) {
      const isKnown = error instanceof UnavailableError || this.#speaksOfToken(error);
      throw isKnown ? error : this.#failed(error);
    }
  };

  #refreshBeside(keys: RemoteJWKSet): void {
    const now = Date.now();
    if (now < this.#refreshAt || now < this.#pausedUntil) return;
    this.#refreshAt = now + refreshMs;
    keys.reload().catch((error: unknown) => {
      this.#refreshAt = 0;
      this.#failed(error);
    });
  }

  #described(): Promise<Description> {
    if (this.#description === undefined) this.#refusePaused();
    this.#description ??= this.#describe().catch((error: unknown) => {
      this.#description = undefined;
      throw this.#failed(error);
    });
    return this.#description;
  }

  async #describe(): Promise<Description> {
    const { issuer: expected, verifyRemoteIssuer } = this.#options;
    const { issuer, jwksUri, endpoints } = await fetchDescription(expected);
    if (verifyRemoteIssuer && issuer !== expected) {
      throw new InvalidError(
        `webserver.oidcIssuer is ${expected}, but the provider there calls itself ${issuer}; they must be equal unless webserver.oidcVerifyRemoteIssuer is false.`,
      );
    }
    this.#refreshAt = Date.now() + refreshMs;
    const keys = this.#jose.createRemoteJWKSet(jwksUri, {
      timeoutDuration: timeoutMs,
      cooldownDuration: pauseMs,
      cacheMaxAge: graceMs,
      [this.#jose.customFetch]: this.#fetchKeys,
    });
    return { issuer, keys, endpoints };
  }

  /** Also an unknown key is no reason to ask a provider again that has just failed. */
  readonly #fetchKeys: FetchImplementation = async (address, options) => {
    this.#refusePaused();
    return fetchKeys(address, options);
  };

  #speaksOfToken(error: unknown): boolean {
    const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = this.#jose.errors;
    return [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported].some(
      (kind) => error instanceof kind,
    );
  }

  #refusePaused(): void {
    if (Date.now() < this.#pausedUntil) throw unavailable();
  }

  /** Logs the failure once for a pause: there may be many tokens. */
  #failed(cause: unknown): UnavailableError {
    const now = Date.now();
    const { issuer, logger } = this.#options;
    if (now >= this.#pausedUntil)
      logger.warn({ issuer, err: cause }, 'the OpenID provider does not give its description or its keys');
    this.#pausedUntil = now + pauseMs;
    return unavailable();
  }
}

const unavailable = (): UnavailableError =>
  new UnavailableError('The OpenID provider does not answer, so tokens cannot be checked now.');

interface FetchedDescription extends Omit<Description, 'keys'> {
  readonly jwksUri: URL;
}

async function fetchDescription(issuer: string): Promise<FetchedDescription> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const description = await fetchDocument(address, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const issuerText = member(description, 'issuer');
  const jwksUri = member(description, 'jwks_uri');
  if (issuerText === undefined || jwksUri === undefined || !URL.canParse(jwksUri))
    throw new Error(`${address} does not name issuer and jwks_uri`);
  const endpoints = ['token_endpoint', 'userinfo_endpoint', 'revocation_endpoint'].flatMap(
    (name) => member(description, name) ?? [],
  );
  return { issuer: issuerText, jwksUri: new URL(jwksUri), endpoints };
}

function member(value: unknown, name: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : undefined;
}
