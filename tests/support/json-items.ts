import { Interner } from '../../lib/json/interner.ts';
import { ItemsText, type ParsedItems } from '../../lib/json/items.ts';
import { type StatementLimits, unlimited } from '../../lib/json/limits.ts';

/** One for all texts of a test file, as a process has one. */
export const interner = new Interner();

/** The items of a JSON text, scanned in one go. */
export function parseItems(text: Uint8Array, limits: StatementLimits = unlimited): ParsedItems {
  const items = new ItemsText(text, limits, { interner });
  items.scan();
  return items.parsed();
}
