import { randomUUID } from 'node:crypto';
import { InvalidError } from '../errors.ts';
import { parameterOf } from './content-type.ts';

export interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

const maxParts = 1_000;
const maxHeaderBytes = 16_384;
const maxHeaderLines = 100;

/**
 * The parts of a multipart body (RFC 2046 5.1), byte for byte: header names in lower case, repeated headers joined by `, `,
 * contents as views of `body`. What stands before the first boundary and behind the last is ignored. Lines end as the line of
 * the first boundary does: in CRLF or, from careless clients, in LF.
 * @throws InvalidError naming what is malformed.
 */
export function parseMultipart(contentType: string, body: Buffer): Part[] {
  const delimiter = Buffer.from(`--${boundaryOf(contentType)}`, 'latin1');
  const first = findDelimiter(body, delimiter, { from: 0 });
  if (first === undefined) {
    throw new InvalidError('The multipart body does not contain the boundary that its Content-Type names.');
  }
  const parts: Part[] = [];
  for (let opening = first; !opening.closing; ) {
    const next = findDelimiter(body, delimiter, { from: opening.end, newline: first.newline });
    if (next === undefined) {
      throw new InvalidError('The multipart body does not end with its boundary followed by "--".');
    }
    if (parts.length === maxParts) {
      throw new InvalidError(`The multipart body has more than ${maxParts} parts.`);
    }
    parts.push(parsePart(body.subarray(opening.end, next.start), first.newline, parts.length + 1));
    opening = next;
  }
  return parts;
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

/** The next delimiter line; without a `newline`, the body's very first. The work is linear, whatever the boundary. */
function findDelimiter(
  body: Buffer,
  delimiter: Buffer,
  search: { readonly from: number; readonly newline?: Newline },
): DelimiterLine | undefined {
  for (let at = search.from; at < body.length; at = startOfNextLine(body, at)) {
    if (!standsAt(body, at, delimiter)) continue;
    const start = at === search.from ? at : endOfPreviousLine(body, at, search.newline);
    const rest = start === undefined ? undefined : restOfDelimiter(body, at + delimiter.length);
    if (start !== undefined && rest !== undefined) return { start, ...rest };
  }
  return undefined;
}

/** `indexOf` would be faster for a body of few lines, but much slower for one of many. */
function startOfNextLine(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== lf) at += 1;
  return at + 1;
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
  const blankLine = part.indexOf(newline + newline);
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
