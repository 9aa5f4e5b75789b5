import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type Coding, preferredCoding } from '../http/accept-encoding.ts';

/** The smallest body, in bytes, that is compressed. */
const least = 1024;
const text = /^(?:text\/|application\/(?:json|javascript|xml)\s*(?:;|$)|[^;]+\+(?:json|xml)\s*(?:;|$))/i;

/** Fast levels: slower ones hardly reduce the size of a page of statements. */
const gzipOptions = { level: 3 };
const brotliParams = {
  [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
  [zlib.BROTLI_PARAM_QUALITY]: 3,
};

const gzipped = promisify(gzip);
const brotlied = promisify<string | Buffer, object, Buffer>(brotliCompress);

/**
 * Decides the content encoding of a response; undefined: identity. `headers`, which must contain the type and the length of
 * the body also for HEAD, are completed. A compressed response has a weak ETag, because the same content has other bytes
 * elsewhere (RFC 9110 8.8.3.3), and no length yet.
 */
export function negotiateCoding(
  request: Pick<IncomingMessage, 'headers'>,
  statusCode: number,
  headers: Record<string, string>,
): Coding | undefined {
  if (statusCode === 304) {
    vary(headers);
    confirmWeak(headers, request.headers['if-none-match']);
    return undefined;
  }
  if (!isCompressible(headers)) return undefined;
  vary(headers);
  const wanted = request.headers['accept-encoding'];
  const coding = wanted === undefined ? undefined : preferredCoding(String(wanted));
  if (coding === undefined) return undefined;
  headers['Content-Encoding'] = coding;
  delete headers['Content-Length'];
  if (headers.ETag !== undefined) headers.ETag = weak(headers.ETag);
  return coding;
}

function isCompressible(headers: Readonly<Record<string, string>>): boolean {
  return (
    Number(headers['Content-Length'] ?? 0) >= least &&
    headers['Content-Encoding'] === undefined &&
    text.test(headers['Content-Type'] ?? '')
  );
}

function vary(headers: Record<string, string>): void {
  if (headers.Vary?.includes('Accept-Encoding')) return;
  headers.Vary = headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`;
}

/** A cache finds its copy by the ETag of the 304, which is weak for a compressed copy (RFC 9111 4.3.4). */
function confirmWeak(headers: Record<string, string>, ifNoneMatch: string | undefined): void {
  if (headers.ETag !== undefined && ifNoneMatch?.includes(weak(headers.ETag)))
    headers.ETag = weak(headers.ETag);
}

function weak(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`;
}

/** Compresses in a thread of the pool. Text is encoded as UTF-8. */
export function compress(coding: Coding, body: string | Buffer): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(body, gzipOptions);
  const hint = { [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
  return brotlied(body, { params: { ...brotliParams, ...hint } });
}
