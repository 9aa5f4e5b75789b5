import { parseStoredJson } from '../../json/json.ts';
import type { Statement } from '../types.ts';

/** A stored text, or its bytes, as a statement: it was checked before it was stored, so the types are believed here. */
export function parseStored(text: string | Buffer): {
  readonly statement: Statement;
  readonly source: Statement;
} {
  const { value, source } = parseStoredJson(typeof text === 'string' ? Buffer.from(text) : text);
  return { statement: value as unknown as Statement, source: source as unknown as Statement };
}

/**
 * The same where the digits of numbers don't matter: without a `source`, and many times as fast. The text is not checked, because
 * this program has stored it.
 */
export function parseStoredValues(text: string): Statement {
  return JSON.parse(text);
}
