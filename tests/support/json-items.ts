import { ItemsText, type ParsedItems } from '../../lib/xapi/json-items.ts';
import { type StatementLimits, unlimited } from '../../lib/xapi/limits.ts';

/** The items of a JSON text, scanned in one go. */
export function parseItems(text: Uint8Array, limits: StatementLimits = unlimited): ParsedItems {
  const items = new ItemsText(text, limits);
  items.scan();
  return items.parsed();
}
