import { randomUUID } from 'node:crypto';
import { InvalidError } from '../errors.ts';
import { Pauses } from '../in-turns.ts';
import { parameterOf } from './content-type.ts';

export interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

const maxParts = 1_000;
const maxHeaderBytes = 16_384;
const maxHeaderLines = 100;

/**
 * The parts of the multipart body of a request.
 * @throws InvalidError naming what is malformed.
 */
export async function parseMultipart(contentType: string, body: Buffer): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of multipartParts(contentType, body, maxParts)) parts.push(part);
  return parts;
}

/**
 * The parts of a multipart body (RFC 2046 5.1), byte for byte: header names in lower case, repeated headers joined by `, `,
 * contents as views of `body`. What stands before the first boundary and behind the last is ignored. Lines end as the line of
 * the first boundary does: in CRLF or, from careless clients, in LF. A long body is gone through in slices.
 * @param mostParts more are refused.
 * @throws InvalidError naming what is malformed.
 */
export async function* multipartParts(
  contentType: string,
  body: Buffer,
  mostParts: number,
): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`--${boundaryOf(contentType)}`, 'latin1');
  const pauses = new Pauses();
  const first = await findDelimiter(body, delimiter, { from: 0, pauses });
  if (first === undefined) {
    throw new InvalidError('The multipart body does not contain the boundary that its Content-Type names.');
  }
  let count = 0;
  for (let opening = first; !opening.closing; ) {
    const next = await findDelimiter(body, delimiter, { from: opening.end, newline: first.newline, pauses });
    if (next === undefined) {
      throw new InvalidError('The multipart body does not end with its boundary followed by "--".');
    }
    if (count === mostParts) throw new InvalidError(`The multipart body has more than ${mostParts} parts.`);
    count += 1;
    yield parsePart(body.subarray(opening.end, next.start), first.newline, count);
    opening = next;
  }
}

export interface MultipartBody {
  /** The value of the header Content-Type, which names the boundary. */
  readonly contentType: string;
  readonly body: Buffer;
}

/** A `multipart/mixed` body of these parts, with a boundary that occurs in none of them. */
export function formatMultipart(parts: readonly Part[]): MultipartBody {
  const boundary = boundaryFor(parts);
  const pieces: Buffer[] = [];
  for (const { headers, content } of parts) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    pieces.push(Buffer.from(`--${boundary}\r\n${lines.join('')}\r\n`), content, Buffer.from('\r\n'));
  }
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { contentType: `multipart/mixed; boundary=${boundary}`, body };
}

function boundaryFor(parts: readonly Part[]): string {
  for (;;) {
    const boundary = randomUUID();
    if (!parts.some(({ content }) => content.includes(boundary))) return boundary;
  }
}

function boundaryOf(contentType: string): string {
  const boundary = parameterOf(contentType, 'boundary');
  if (boundary === undefined || boundary === '') {
    throw new InvalidError('The header Content-Type of a multipart body must have the parameter "boundary".');
  }
  if (!/^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/.test(boundary)) {
    throw new InvalidError(
      'The boundary of a multipart body must be 1 to 70 of the characters that RFC 2046 5.1.1 allows and not end with a blank.',
    );
  }
  return boundary;
}

type Newline = '\r\n' | '\n';

/** A line that consists of the boundary. */
interface DelimiterLine {
  /** Where the content before it ends: the newline before the boundary belongs to the boundary. */
  readonly start: number;
  /** Where the content behind it begins. */
  readonly end: number;
  readonly closing: boolean;
  readonly newline: Newline;
}

/** Bytes that are looked through between two pauses. */
const bytesPerPause = 16 * 1024;

interface DelimiterSearch {
  readonly from: number;
  readonly newline?: Newline;
  readonly pauses: Pauses;
}

/** The next delimiter line; without a `newline`, the body's very first. The work is linear, whatever the boundary. */
async function findDelimiter(
  body: Buffer,
  delimiter: Buffer,
  { from, newline, pauses }: DelimiterSearch,
): Promise<DelimiterLine | undefined> {
  let pauseAt = from;
  for (let at = from; at < body.length; at = startOfNextLine(body, at)) {
    if (at >= pauseAt) {
      const pause = pauses.pause();
      if (pause !== undefined) await pause;
      pauseAt = at + bytesPerPause;
    }
    if (!standsAt(body, at, delimiter)) continue;
    const start = at === from ? at : endOfPreviousLine(body, at, newline);
    const rest = start === undefined ? undefined : restOfDelimiter(body, at + delimiter.length);
    if (start !== undefined && rest !== undefined) return { start, ...rest };
  }
  return undefined;
}

/** Bytes of a line that are looked at one by one: `indexOf` is faster for a long line, but much slower for many short ones. */
const shortLine = 64;

function startOfNextLine(body: Buffer, from: number): number {
  const near = Math.min(from + shortLine, body.length);
  for (let at = from; at < near; at += 1) if (body[at] === lf) return at + 1;
  const end = body.indexOf(lf, near);
  return end === -1 ? body.length : end + 1;
}

function standsAt(body: Buffer, start: number, delimiter: Buffer): boolean {
  for (let at = 0; at < delimiter.length; at += 1) if (body[start + at] !== delimiter[at]) return false;
  return true;
}

function endOfPreviousLine(body: Buffer, at: number, newline: Newline | undefined): number | undefined {
  if (body[at - 1] !== lf) return undefined;
  if (newline === '\n') return at - 1;
  if (body[at - 2] === cr) return at - 2;
  return newline === undefined ? at - 1 : undefined;
}

const lf = 0x0a;
const cr = 0x0d;
const dash = 0x2d;

/** What follows the boundary on its line: two dashes on the last one, blanks, the end of the line or of the body. */
function restOfDelimiter(body: Buffer, from: number): Omit<DelimiterLine, 'start'> | undefined {
  const closing = body[from] === dash && body[from + 1] === dash;
  let at = closing ? from + 2 : from;
  while (body[at] === 0x20 || body[at] === 0x09) at += 1;
  if (body[at] === lf) return { end: at + 1, closing, newline: '\n' };
  if (body[at] === cr && body[at + 1] === lf) return { end: at + 2, closing, newline: '\r\n' };
  return at === body.length ? { end: at, closing, newline: '\r\n' } : undefined;
}

function parsePart(part: Buffer, newline: Newline, number: number): Part {
  if (part.subarray(0, newline.length).equals(Buffer.from(newline))) {
    return { headers: {}, content: part.subarray(newline.length) };
  }
  const blankLine = part.subarray(0, maxHeaderBytes + 2 * newline.length).indexOf(newline + newline);
  const headerEnd = blankLine === -1 ? part.length : blankLine;
  if (headerEnd > maxHeaderBytes) {
    throw new InvalidError(
      `The headers of part ${number} of the multipart body are longer than ${maxHeaderBytes} bytes.`,
    );
  }
  return {
    headers: parseHeaders(part.toString('utf8', 0, headerEnd), newline, number),
    content: part.subarray(Math.min(headerEnd + 2 * newline.length, part.length)),
  };
}

function parseHeaders(text: string, newline: Newline, number: number): Record<string, string> {
  const headers = new Map<string, string>();
  // A line that begins with a blank continues the one before (RFC 822 3.1.1).
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(newline, maxHeaderLines + 1);
  if (lines.length > maxHeaderLines) {
    throw new InvalidError(
      `Part ${number} of the multipart body has more than ${maxHeaderLines} header lines.`,
    );
  }
  for (const line of lines) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    const value = line
      .slice(colon + 1)
      .replaceAll('\t', ' ')
      .trim();
    if (colon === -1 || !/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) || /\p{Cc}/u.test(value)) {
      throw new InvalidError(
        `Part ${number} of the multipart body has a header line that is not of the form "Name: value"; an empty line must stand between its headers and its content.`,
      );
    }
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(headers);
}
