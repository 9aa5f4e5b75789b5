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

const quote = 0x22;
const lineFeed = 0x0a;

/** Counts the rows of a CSV file that comes in pieces, without the header. */
export class RowCounter {
  #ends = 0;
  #inQuotes = false;

  get rows(): number {
    return Math.max(this.#ends - 1, 0);
  }

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // Two quotes for one lead out of the quotes and back.
      if (byte === quote) this.#inQuotes = !this.#inQuotes;
      else if (byte === lineFeed && !this.#inQuotes) this.#ends += 1;
    }
  }
}
