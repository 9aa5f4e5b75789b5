import { parseJson } from '../xapi/json.ts';
import type { Statement } from '../xapi/types.ts';

/** A stored text as a statement: it was checked before it was stored, so the types are believed here. */
export function parseStored(text: string): { readonly statement: Statement; readonly source: Statement } {
  const { value, source } = parseJson(Buffer.from(text));
  return { statement: value as unknown as Statement, source: source as unknown as Statement };
}
