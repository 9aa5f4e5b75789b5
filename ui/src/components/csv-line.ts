/**
 * What a spreadsheet would take for a formula, also behind blanks and characters without a width; an apostrophe makes it text.
 */
const formula = /^(?:[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** A line of a CSV file (RFC 4180), with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(formula.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
