import { resultEnd, resultStart } from './result.ts';
import type { ExactPage, Position, StatementPage } from './types.ts';

/** The text of one statement: as it is stored, never parsed. */
export function singleText(page: StatementPage): string {
  return page.statements[0]?.text ?? '';
}

/** The text of a StatementResult (xAPI 1.0.3 Data 2.5): the stored texts, joined. */
export function resultText({ statements }: StatementPage, more: string): string {
  return resultStart + statements.map(({ text }) => text).join(',') + resultEnd(more);
}

/**
 * The same of a page whose texts are joined already. The link replaces what the database has put behind them, where there is
 * room: to copy a page into a second buffer costs a quarter of the processor time of the whole request.
 */
export function exactResult({ texts }: ExactPage, more: string): string | Buffer {
  if (typeof texts === 'string') return resultStart + texts + resultEnd(more);
  const { result, end } = texts;
  const ending = Buffer.from(resultEnd(more));
  const length = end + ending.length;
  if (length > result.length) return Buffer.concat([result.subarray(0, end), ending]);
  ending.copy(result, end);
  return result.subarray(0, length);
}

/**
 * The relative address of the next page: the path that was called, so that it works behind any gateway, with the parameters
 * of this request. Empty on the last page.
 */
export function moreLink(
  path: string,
  query: URLSearchParams,
  page: { limit: number; next: Position | undefined },
): string {
  if (page.next === undefined) return '';
  const parameters = new URLSearchParams(query);
  parameters.set('limit', String(page.limit));
  parameters.set('from', String(page.next));
  return `${path}?${parameters}`;
}

/** The newest position of the page. */
export function newest(page: StatementPage): Position | undefined {
  const { statements } = page;
  if (statements.length === 0) return undefined;
  return statements.reduce((latest, { position }) => Math.max(latest, position), 0);
}
