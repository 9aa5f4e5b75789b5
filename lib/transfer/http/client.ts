import { setTimeout } from 'node:timers/promises';
import { InvalidError, UnavailableError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { parseSecretAddress } from '../../secret-address.ts';
import type { XapiVersion } from '../../xapi/types.ts';

export interface XapiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Behind the address of the LRS, such as `/statements?limit=1`, or a whole path as in `more`. */
  readonly path: string;
  readonly version?: XapiVersion;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface XapiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** How often a request is sent that is not answered, or with 429 or 503, and the first pause in milliseconds, which doubles. */
const attempts = 6;
const firstPause = 500;
/** Most bytes of an answer, which is in memory twice while its pieces are joined: as many as an item of a file may have. */
const longestAnswer = 256 * 1024 * 1024;

/** An answer has to bring so many bytes in each period, so that an LRS that sends a byte now and then holds up no import. */
const leastProgress = { bytes: 30_000, milliseconds: 30_000 };

/** An answer has more bytes than an import keeps in memory. */
export class AnswerTooLongError extends UnavailableError {}

/** An LRS that is asked over HTTP. */
export class XapiClient {
  /** Without the key pair. */
  readonly address: string;
  readonly #authorization: string | undefined;
  readonly #interruption = new AbortController();
  readonly #period: number;

  /**
   * @param url of the xAPI, with a key pair: `https://KEY:SECRET@lrs.example/xapi`.
   * @param option that has given it, for errors.
   * @param period in which an answer has to make progress (ms).
   * @throws InvalidError
   */
  constructor(url: string, option: string, period = leastProgress.milliseconds) {
    this.#period = period;
    const { origin, pathname, user, password } = partsOf(url, option);
    // Where statements are, as some programs ask for it, is below the address of the xAPI.
    this.address = `${origin}${pathname.replace(/(\/statements)?\/*$/, '')}`;
    const pair = `${user}:${password}`;
    this.#authorization = user === '' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
  }

  get isInterrupted(): boolean {
    return this.#interruption.signal.aborted;
  }

  /** Ends the request that is being sent, and all later ones, with an error. */
  interrupt(): void {
    this.#interruption.abort();
  }

  /** @throws UnavailableError when there is no answer after several attempts, or one that leads elsewhere. */
  async send({
    method = 'GET',
    path,
    version = '2.0.0',
    headers = {},
    body,
  }: XapiRequest): Promise<XapiAnswer> {
    const url = this.#urlOf(path);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.#answerTo(url, {
          method,
          // A POST that is redirected becomes a GET, and the key pair is not for another host.
          redirect: 'manual',
          headers: {
            'X-Experience-API-Version': version,
            ...(this.#authorization !== undefined && { Authorization: this.#authorization }),
            ...headers,
          },
          ...(body !== undefined && { body: new Uint8Array(body) }),
        });
        const { status } = answer;
        this.#requireNoRedirect(url, answer);
        if ((status !== 429 && status !== 503) || attempt === attempts) return answer;
      } catch (cause) {
        if (cause instanceof UnavailableError || this.isInterrupted) throw cause;
        if (attempt === attempts) throw new UnavailableError(`${this.address} does not answer.`, { cause });
      }
      await setTimeout(firstPause * 2 ** (attempt - 1), undefined, { signal: this.#interruption.signal });
    }
  }

  /** Each request has a signal of its own: one for all of them would collect a listener of each. */
  async #answerTo(url: string, request: RequestInit): Promise<XapiAnswer> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    this.#interruption.signal.addEventListener('abort', abort);
    try {
      this.#interruption.signal.throwIfAborted();
      const response = await fetch(url, { ...request, signal: controller.signal });
      const body = await this.#bodyOf(response, controller);
      return { status: response.status, headers: response.headers, body };
    } finally {
      this.#interruption.signal.removeEventListener('abort', abort);
      // Ends an answer that is too long.
      controller.abort();
    }
  }

  /**
   * @param controller ends the request.
   * @throws AnswerTooLongError, also for a few bytes that compression makes many of; UnavailableError when it comes too slowly.
   */
  async #bodyOf({ body }: Response, controller: AbortController): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    let before = 0;
    const watch = setInterval(() => {
      if (length - before < leastProgress.bytes) controller.abort(this.#tooSlow());
      before = length;
    }, this.#period);
    try {
      for await (const piece of body ?? []) {
        length += piece.length;
        if (length > longestAnswer)
          throw new AnswerTooLongError(`${this.address} answers with more than ${longestAnswer} bytes.`);
        pieces.push(piece);
      }
    } catch (error) {
      const { reason } = controller.signal;
      throw reason instanceof UnavailableError ? reason : error;
    } finally {
      clearInterval(watch);
    }
    return Buffer.concat(pieces, length);
  }

  #tooSlow(): UnavailableError {
    return new UnavailableError(
      `${this.address} answers too slowly: fewer than ${leastProgress.bytes} bytes in ${this.#period / 1000} seconds.`,
    );
  }

  /** @throws UnavailableError that names the address to use. */
  #requireNoRedirect(url: string, { status, headers }: XapiAnswer): void {
    const location = headers.get('location');
    if (location === null || status < 300 || status >= 400) return;
    const { origin, pathname } = this.#urlWithin(location, url);
    throw new UnavailableError(
      `${this.address} answers ${status} and leads to ${origin}${pathname}: give the address that the LRS has itself.`,
    );
  }

  /**
   * `more` is an address that is relative to the host (xAPI 1.0.3 Data 2.5), or to the statements; the key pair goes to no other
   * host.
   */
  #urlOf(path: string): string {
    if (path.startsWith('/statements') || path.startsWith('/agents') || path.startsWith('/activities')) {
      return `${this.address}${path}`;
    }
    const { origin } = new URL(this.address);
    const { pathname, search } = this.#urlWithin(path, `${this.address}/statements`);
    return `${origin}${pathname}${search}`;
  }

  /** @throws UnavailableError when it is no address of an LRS; the path of one such as `x:.elsewhere` would change the host. */
  #urlWithin(text: string, base: string): URL {
    const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
    throw new UnavailableError(`${this.address} leads to ${text}, which is no address.`);
  }
}

/** @throws InvalidError that does not repeat the address, which may hold a secret key. */
function partsOf(url: string, option: string) {
  try {
    const { username, password, origin, pathname } = parseSecretAddress(url);
    return {
      ...{ origin, pathname },
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
    };
  } catch {
    throw new InvalidError(
      `The address of ${option} cannot be read. It looks like https://KEY:SECRET@HOST/xapi, and in the key and the secret %, @, : and / are written as %25, %40, %3A and %2F.`,
    );
  }
}

/** What an answer says about why it refuses, in one line for people. */
export function reasonOf(answer: XapiAnswer): string {
  return printable(saidBy(answer));
}

function saidBy({ status, body }: XapiAnswer): string {
  const text = body.toString('utf8', 0, 2000);
  try {
    const { error, message }: { readonly error?: unknown; readonly message?: unknown } = JSON.parse(text);
    const said = [message, error].find((each) => typeof each === 'string');
    if (said !== undefined) return `${status}: ${said}`;
  } catch {
    // It is no JSON.
  }
  return `${status}: ${text.slice(0, 500)}`;
}
