import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type Coding, preferredCoding } from '../http/accept-encoding.ts';

/** Bytes. Shorter bodies gain too little. */
const least = 1024;
const text = /^(?:text\/|application\/(?:json|javascript|xml)\s*(?:;|$)|[^;]+\+(?:json|xml)\s*(?:;|$))/i;

/** Both are quick rather than thorough: more work makes little less of a page of statements. */
const gzipOptions = { level: 3 };
const brotliParams = {
  [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
  [zlib.BROTLI_PARAM_QUALITY]: 3,
};

const gzipped = promisify(gzip);
const brotlied = promisify<string | Buffer, object, Buffer>(brotliCompress);

/**
 * Settles how an answer is encoded; undefined: as it is. `headers`, which tell the type and length of the body, also that of an
 * answer to HEAD, are completed. A compressed answer has an ETag that is weak, because the same content also exists in other
 * bytes (RFC 9110 8.8.3.3), and no length yet.
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

/** A cache finds its copy by the ETag of the 304, and that of a compressed copy is weak (RFC 9111 4.3.4). */
function confirmWeak(headers: Record<string, string>, ifNoneMatch: string | undefined): void {
  if (headers.ETag !== undefined && ifNoneMatch?.includes(weak(headers.ETag)))
    headers.ETag = weak(headers.ETag);
}

function weak(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`;
}

/** Compresses in a thread of the pool, beside the other requests. Text is taken as UTF-8. */
export function compress(coding: Coding, body: string | Buffer): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(body, gzipOptions);
  const hint = { [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
  return brotlied(body, { params: { ...brotliParams, ...hint } });
}
