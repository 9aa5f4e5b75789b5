/** The rows of a CSV text (RFC 4180), each with its cells. */
export function rowsOf(csv: string): string[][] {
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y;
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < csv.length) {
    const [, text = '', end = ''] = cell.exec(csv) ?? [];
    row.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (end === ',') continue;
    rows.push(row);
    row = [];
    if (cell.lastIndex === 0) break;
  }
  return rows;
}

/** Bytes of a row as the first ones have them on average; undefined where there are none. */
export function csvRowBytes(rows: readonly (readonly string[])[] | undefined): number | undefined {
  const [, ...body] = rows ?? [];
  if (body.length === 0) return undefined;
  const encoder = new TextEncoder();
  const bytes = body.map((row) => encoder.encode(row.join(',')).length + 2);
  return bytes.reduce((sum, each) => sum + each, 0) / body.length;
}

const quote = 0x22;
const lineFeed = 0x0a;

/** Lines of a file that are no statements: the header of CSV, the brackets of an array. */
const otherLines = { csv: 1, ndjson: 0, json: 2 };

/** Counts the statements of a file that comes in pieces. */
export class RowCounter {
  readonly #kind: keyof typeof otherLines;
  #ends = 0;
  #inQuotes = false;

  constructor(kind: keyof typeof otherLines = 'csv') {
    this.#kind = kind;
  }

  get rows(): number {
    return Math.max(this.#ends - otherLines[this.#kind], 0);
  }

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // Two quotes for one lead out of the quotes and back. No text of JSON has an end of line.
      if (byte === quote && this.#kind === 'csv') this.#inQuotes = !this.#inQuotes;
      else if (byte === lineFeed && !this.#inQuotes) this.#ends += 1;
    }
  }
}
