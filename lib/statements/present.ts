import type { ExactPage, Position, StatementPage } from './types.ts';

const resultStart = Buffer.from('{"statements":[');

/** The text of one statement: as it is stored, never parsed. */
export function singleText(page: StatementPage): string {
  return page.statements[0]?.text ?? '';
}

/** The text of a StatementResult (xAPI 1.0.3 Data 2.5): the stored texts, joined. */
export function resultText(page: StatementPage, more: string): string {
  const statements = page.statements.map(({ text }) => text).join(',');
  return `{"statements":[${statements}],"more":${JSON.stringify(more)}}`;
}

/** The same as the bytes of a page. */
export function resultBytes({ json }: ExactPage, more: string): Buffer {
  return Buffer.concat([resultStart, json, Buffer.from(`],"more":${JSON.stringify(more)}}`)]);
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
