/** A part of a `multipart/mixed` answer (xAPI 1.0.3 Communication 1.5.2). */
export interface Part {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Takes an answer of the server apart, whose lines end in CRLF. @throws Error for one without a boundary. */
export function partsOf(contentType: string, body: Uint8Array<ArrayBuffer>): Part[] {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) throw new Error('The answer is not multipart/mixed.');
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  const parts: Part[] = [];
  // The first boundary has no line before it.
  let start = delimiter.length - 2;
  for (let end = find(body, delimiter, start); end !== -1; end = find(body, delimiter, start)) {
    parts.push(partOf(body.subarray(start + 2, end)));
    start = end + delimiter.length;
  }
  return parts;
}

const blankLine = new TextEncoder().encode('\r\n\r\n');

function partOf(part: Uint8Array<ArrayBuffer>): Part {
  const end = find(part, blankLine, 0);
  const lines = new TextDecoder().decode(part.subarray(0, end)).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { headers: Object.fromEntries(headers), content: part.subarray(end + blankLine.length) };
}

/** Where `wanted` begins in `bytes` at or behind `from`; -1 when it does not. */
function find(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const first = wanted[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, place) => bytes[at + place] === byte)) return at;
  }
  return -1;
}
