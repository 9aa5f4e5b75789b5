import { createHash } from 'node:crypto';
import { UnavailableError } from '../errors.ts';
import { type Bucket, BucketClient } from './bucket-client.ts';
import type { Announced, ObjectStore, UploadAddress } from './types.ts';

const keyOf = (objectId: string): string => `attachments/${objectId}`;

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

    requireAnswers: () => client.requireAnswers(),

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

    async read(objectId, expected) {
      const { response, content } = await client.receive(
        { method: 'GET', key: keyOf(objectId) },
        async (answer) => (await contentOf(answer, expected)) ?? 'other bytes',
      );
      if (content === undefined) throw refused('give an attachment', response.status);
      if (content === 'other bytes') {
        throw new Error(
          `the object ${keyOf(objectId)} in the bucket of attachments has not the ${expected.length} bytes with the hash ${expected.sha2} that were stored`,
        );
      }
      return content;
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

const algorithms: ReadonlyMap<number, string> = new Map([
  [56, 'sha224'],
  [64, 'sha256'],
  [96, 'sha384'],
  [128, 'sha512'],
]);

/**
 * The content of an answer, which is never received farther than it may be long, and hashed as it arrives.
 * @returns undefined when it has other bytes than were stored.
 */
async function contentOf(
  { body }: Response,
  { sha2, length }: { readonly sha2: string; readonly length: number },
): Promise<Buffer | undefined> {
  const content = Buffer.alloc(length);
  const hash = createHash(algorithms.get(sha2.length) ?? 'sha256');
  let received = 0;
  for await (const piece of body ?? []) {
    if (received + piece.length > length) return undefined;
    content.set(piece, received);
    hash.update(piece);
    received += piece.length;
  }
  return received === length && hash.digest('hex') === sha2 ? content : undefined;
}

/** The status is for the log; what the store says may name the bucket. */
const refused = (what: string, status: number): UnavailableError =>
  new UnavailableError('The store of attachments can not do it now; try again.', {
    cause: new Error(`the bucket of attachments does not ${what} (${status})`),
  });
