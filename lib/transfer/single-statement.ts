import { isBlank } from './blank.ts';
import { excessOfStatement } from './item-limits.ts';
import type { TransferRecord } from './records.ts';

const openBracket = 0x5b;

/**
 * Records as they are imported and compared, one by one: a list of statements in the place of one is refused, because its
 * statements have neither an id of their own there nor a place; so is what is too large to be parsed.
 */
export function singleStatement(record: TransferRecord): TransferRecord {
  if (record.kind !== 'statement') return record;
  const reason = isList(record.json) ? 'it is a list, not one statement' : excessOfStatement(record.json);
  return reason === undefined ? record : { kind: 'unreadable', reason };
}

/** Whether a JSON text is a list, if it is JSON. */
export const isList = (json: Buffer): boolean => json.find((byte) => !isBlank(byte)) === openBracket;
