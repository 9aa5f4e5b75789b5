import { createHash } from 'node:crypto';
import type { AwsCredentials } from '../aws/credentials.ts';
import { UnavailableError } from '../errors.ts';
import type { Announced, ObjectStore, UploadAddress } from './types.ts';

/** A bucket and who may use it. */
export interface Bucket {
  readonly name: string;
  readonly region: string;
  /** null: Amazon S3, whose host names begin with the bucket's; otherwise the bucket is the first segment of the path. */
  readonly endpoint: string | null;
  readonly credentials: () => Promise<AwsCredentials>;
}

/** Milliseconds for one answer. */
const patience = 10_000;

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const keyOf = (objectId: string): string => `attachments/${objectId}`;

/** Signs requests to a bucket and sends them. */
class BucketClient {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** An address that carries its signature, for a client without credentials. */
  async presigned(request: S3Request, seconds: number): Promise<string> {
    const query = { ...request.query, 'X-Amz-Expires': String(seconds) };
    const { url } = await this.#sign({ ...request, query }, { signQuery: true });
    return url.href;
  }

  /** @throws UnavailableError when the store does not answer in time */
  async send(request: S3Request): Promise<Response> {
    const { url, method, headers } = await this.#sign(request);
    const body = request.body && new Uint8Array(request.body);
    return fetch(url, { method, headers, body: body ?? null, signal: AbortSignal.timeout(patience) }).catch(
      (cause: unknown) => {
        throw new UnavailableError('The store of attachments does not answer; try again.', { cause });
      },
    );
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

/**
 * Objects in a bucket of Amazon S3, as `attachments/ID`. The address of an upload is signed for one content: length, type and
 * SHA-256 are headers of the signature, and S3 refuses any other.
 */
export function createS3ObjectStore(bucket: Bucket): ObjectStore {
  const client = new BucketClient(bucket);

  return {
    async uploadAddress(objectId, { sha2, length, contentType }: Announced, seconds): Promise<UploadAddress> {
      const headers = {
        'Content-Type': contentType,
        'x-amz-checksum-sha256': Buffer.from(sha2, 'hex').toString('base64'),
      };
      const signed = { ...headers, 'Content-Length': String(length) };
      const expires = Date.now() + seconds * 1000;
      const url = await client.presigned({ method: 'PUT', key: keyOf(objectId), headers: signed }, seconds);
      return { url, headers: signed, expires };
    },

    async uploaded(objectId) {
      const headers = { 'x-amz-checksum-mode': 'ENABLED' };
      const response = await client.send({ method: 'HEAD', key: keyOf(objectId), headers });
      if (response.status === 404) return undefined;
      const checksum = response.headers.get('x-amz-checksum-sha256');
      if (!response.ok || checksum === null) throw refused('tell the SHA-256 of an upload', response.status);
      return {
        sha2: Buffer.from(checksum, 'base64').toString('hex'),
        length: Number(response.headers.get('content-length')),
      };
    },

    async put(objectId, { contentType, content }) {
      const hash = createHash('sha256').update(content).digest();
      const headers = {
        'Content-Type': contentType,
        'x-amz-checksum-sha256': hash.toString('base64'),
        'x-amz-content-sha256': hash.toString('hex'),
      };
      const response = await client.send({ method: 'PUT', key: keyOf(objectId), headers, body: content });
      if (!response.ok) throw refused('take an attachment', response.status);
    },

    async read(objectId) {
      const response = await client.send({ method: 'GET', key: keyOf(objectId) });
      if (!response.ok) throw refused('give an attachment', response.status);
      return Buffer.from(await response.arrayBuffer());
    },

    downloadAddress: (objectId, contentType, seconds) =>
      client.presigned(
        {
          method: 'GET',
          key: keyOf(objectId),
          query: { 'response-content-type': contentType, 'response-content-disposition': 'attachment' },
        },
        seconds,
      ),

    async remove(objectId) {
      const response = await client.send({ method: 'DELETE', key: keyOf(objectId) });
      if (!response.ok && response.status !== 404) throw refused('remove an attachment', response.status);
    },
  };
}

/** The status is for the log; what the store says may name the bucket. */
const refused = (what: string, status: number): UnavailableError =>
  new UnavailableError('The store of attachments can not do it now; try again.', {
    cause: new Error(`the bucket of attachments does not ${what} (${status})`),
  });

const domainOf = (region: string): string =>
  region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
