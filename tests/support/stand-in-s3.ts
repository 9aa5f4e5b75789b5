import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface StoredObject {
  readonly content: Buffer;
  readonly type: string;
  /** As the one who put it has claimed, which was verified. */
  readonly checksum: string | undefined;
}

export interface StandInS3 {
  /** What the bucket holds, by key. */
  readonly objects: Map<string, StoredObject>;
  /** Method and key of each request. */
  readonly requests: string[];
  /** Settings of an LRS that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes it answer 503, or stop doing that. */
  fail(isFailing: boolean): void;
  close(): Promise<void>;
}

const bucket = 'lrs-attachments';
const region = 'eu-central-1';
const secretKey = 'stand-in-secret-of-the-bucket';
const accessKey = 'AKIDEXAMPLE';
const token = 'stand-in-session-token';

/**
 * A server in the place of Amazon S3 with one bucket: it verifies signatures in headers and addresses, their age, that every
 * `x-amz-` header is signed, lengths and checksums, as S3 documents it. It shares no code with what signs.
 */
export async function startStandInS3(): Promise<StandInS3> {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  let failing = false;
  const server = createServer(async (message, response) => {
    const content = await buffer(message);
    const url = new URL(message.url ?? '/', `http://${message.headers.host}`);
    const key = url.pathname.slice(`/${bucket}/`.length);
    requests.push(`${message.method} ${key}`);
    const problem = signatureProblem(message, url, content);
    const {
      status,
      headers = {},
      body,
    } = failing
      ? failure(503, 'SlowDown')
      : problem !== undefined
        ? failure(403, problem)
        : carryOut({ message, url, key, content, objects });
    response.writeHead(status, headers).end(message.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    objects,
    requests,
    env: {
      LRS_ATTACHMENT_BUCKET: bucket,
      LRS_ATTACHMENT_REGION: region,
      LRS_ATTACHMENT_ENDPOINT: `http://127.0.0.1:${port}/`,
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: secretKey,
      AWS_SESSION_TOKEN: token,
    },
    fail(isFailing) {
      failing = isFailing;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

interface Arrived {
  readonly message: IncomingMessage;
  readonly url: URL;
  readonly key: string;
  readonly content: Buffer;
  readonly objects: Map<string, StoredObject>;
}

function carryOut(arrived: Arrived): Answer {
  const { message, url, key, objects } = arrived;
  const { method } = message;
  if (!url.pathname.startsWith(`/${bucket}/`)) return failure(404, 'NoSuchBucket');
  if (method === 'DELETE') {
    objects.delete(key);
    return { status: 204 };
  }
  if (method === 'PUT') return put(arrived);
  const object = objects.get(key);
  return object === undefined ? failure(404, 'NoSuchKey') : show(object, arrived);
}

function put({ message, key, content, objects }: Arrived): Answer {
  const { 'x-amz-checksum-sha256': claimed, 'content-type': type = 'binary/octet-stream' } = message.headers;
  const checksum = createHash('sha256').update(content).digest('base64');
  if (claimed !== undefined && claimed !== checksum) return failure(400, 'BadDigest');
  objects.set(key, { content, type, checksum: claimed === undefined ? undefined : checksum });
  return { status: 200 };
}

function show({ content, type, checksum }: StoredObject, { message, url }: Arrived): Answer {
  const disposition = url.searchParams.get('response-content-disposition');
  const tellsChecksum = message.headers['x-amz-checksum-mode'] === 'ENABLED';
  return {
    status: 200,
    headers: {
      'content-type': url.searchParams.get('response-content-type') ?? type,
      'content-length': content.length,
      ...(disposition !== null && { 'content-disposition': disposition }),
      ...(tellsChecksum && checksum !== undefined && { 'x-amz-checksum-sha256': checksum }),
    },
    body: content,
  };
}

const failure = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<Error><Code>${code}</Code></Error>`,
});

/** What a signature consists of, wherever it stands. */
interface Signature {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: string;
  /** Seconds. */
  readonly expires: number;
  readonly payload: string;
  readonly isInAddress: boolean;
}

function signatureProblem(message: IncomingMessage, url: URL, content: Buffer): string | undefined {
  const given = signatureOf(message, url);
  if (given === undefined) return 'AccessDenied';
  const { credential, signedHeaders, date, expires, payload, isInAddress } = given;
  const day = date.slice(0, 8);
  if (credential !== `${accessKey}/${day}/${region}/s3/aws4_request`) return 'InvalidAccessKeyId';
  const age = (Date.now() - momentOf(date)) / 1000;
  if (age > expires || age < -900) return 'AccessDenied';
  const sentToken = isInAddress
    ? url.searchParams.get('X-Amz-Security-Token')
    : message.headers['x-amz-security-token'];
  if (sentToken !== token) return 'InvalidToken';
  const unsigned = Object.keys(message.headers).filter(
    (name) => (name.startsWith('x-amz-') || name === 'host') && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) return 'AccessDenied';
  const isHashed = payload !== 'UNSIGNED-PAYLOAD';
  if (isHashed && payload !== sha256(content)) return 'XAmzContentSHA256Mismatch';
  const canonical = [
    message.method,
    url.pathname,
    canonicalQuery(url),
    ...signedHeaders.map((name) => `${name}:${String(message.headers[name] ?? '').trim()}`),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n');
  const scope = credential.split('/').slice(1);
  const signingKey = scope.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secretKey}`);
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n');
  return hmac(signingKey, toSign).toString('hex') === given.signature ? undefined : 'SignatureDoesNotMatch';
}

function signatureOf({ headers }: IncomingMessage, url: URL): Signature | undefined {
  const query = (name: string): string => url.searchParams.get(name) ?? '';
  if (url.searchParams.has('X-Amz-Signature')) {
    return {
      credential: query('X-Amz-Credential'),
      signedHeaders: query('X-Amz-SignedHeaders').split(';'),
      signature: query('X-Amz-Signature'),
      date: query('X-Amz-Date'),
      expires: Number(query('X-Amz-Expires')),
      payload: 'UNSIGNED-PAYLOAD',
      isInAddress: true,
    };
  }
  const form = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\w+)$/;
  const [, credential, names, signature] = form.exec(headers.authorization ?? '') ?? [];
  if (credential === undefined || names === undefined || signature === undefined) return undefined;
  return {
    credential,
    signedHeaders: names.split(';'),
    signature,
    date: String(headers['x-amz-date']),
    expires: 900,
    payload: String(headers['x-amz-content-sha256']),
    isInAddress: false,
  };
}

function canonicalQuery(url: URL): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** `20260101T000000Z` in milliseconds since the epoch. */
const momentOf = (date: string): number =>
  Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
