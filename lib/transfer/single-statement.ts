import { isBlank } from './blank.ts';
import type { TransferRecord } from './records.ts';

const openBracket = 0x5b;

/**
 * Records as they are imported and compared, one by one: a list of statements in the place of one is refused, because its
 * statements have neither an id of their own there nor a place.
 */
export function singleStatement(record: TransferRecord): TransferRecord {
  return record.kind === 'statement' && isList(record.json)
    ? { kind: 'unreadable', reason: 'it is a list, not one statement' }
    : record;
}

/** Whether a JSON text is a list, if it is JSON. */
export const isList = (json: Buffer): boolean => json.find((byte) => !isBlank(byte)) === openBracket;
