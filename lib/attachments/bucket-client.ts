import type { AwsCredentials } from '../aws/credentials.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

/** A bucket and who may use it. */
export interface Bucket {
  readonly name: string;
  readonly region: string;
  /** null: Amazon S3, whose host names begin with the bucket's; otherwise the bucket is the first segment of the path. */
  readonly endpoint: string | null;
  readonly credentials: () => Promise<AwsCredentials>;
  /** Milliseconds for one answer with its content; for tests. */
  readonly patience?: number;
}

const defaultPatience = 10_000;

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Signs requests to a bucket and sends them. */
export class BucketClient {
  readonly #bucket: Bucket;
  readonly #patience: number;
  readonly #breaker: CircuitBreaker;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
    this.#patience = bucket.patience ?? defaultPatience;
    this.#breaker = new CircuitBreaker({ longestAttempt: this.#patience });
  }

  /** @throws UnavailableError while requests fail at once. */
  requireAnswers(): void {
    this.#breaker.check();
  }

  /** An address that carries its signature, for a client without credentials. */
  async presigned(request: S3Request, seconds: number): Promise<string> {
    const query = { ...request.query, 'X-Amz-Expires': String(seconds) };
    const { url } = await this.#sign({ ...request, query }, { signQuery: true });
    return url.href;
  }

  /** The answer, without its content. @throws UnavailableError when the store does not answer in time. */
  async send(request: S3Request): Promise<Response> {
    const { response } = await this.receive(request, async () => {});
    return response;
  }

  /**
   * The answer, and what `read` makes of the content of a successful one. What is not read is never received, however long it is.
   * @param read rejects only when the content breaks off.
   * @throws UnavailableError when the store does not answer, or does not send the whole content, in time.
   */
  async receive<T>(
    request: S3Request,
    read: (response: Response) => Promise<T>,
  ): Promise<{ readonly response: Response; readonly content: T | undefined }> {
    const { url, method, headers } = await this.#sign(request);
    const body = request.body && new Uint8Array(request.body);
    return this.#breaker.attempt(async () => {
      const signal = AbortSignal.timeout(this.#patience);
      const response = await fetch(url, { method, headers, body: body ?? null, signal });
      const content = response.ok ? await read(response) : undefined;
      if (!response.bodyUsed) await response.body?.cancel();
      return { response, content };
    });
  }

  async #sign(request: S3Request, options: { readonly signQuery?: boolean } = {}) {
    const { credentials: current, region } = this.#bucket;
    const [{ AwsV4Signer }, credentials] = await Promise.all([import('aws4fetch'), current()]);
    return new AwsV4Signer({
      ...credentials,
      url: this.#addressOf(request),
      method: request.method,
      headers: { ...request.headers },
      service: 's3',
      region,
      // The type and the length of the content, too.
      allHeaders: true,
      ...options,
    }).sign();
  }

  #addressOf({ key, query = {} }: S3Request): string {
    const { name, region, endpoint } = this.#bucket;
    const base =
      endpoint === null
        ? `https://${name}.s3.${region}.${domainOf(region)}`
        : `${withoutSlash(endpoint)}/${name}`;
    const url = new URL(`${base}/${key}`);
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
    return url.href;
  }
}

const domainOf = (region: string): string =>
  region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
