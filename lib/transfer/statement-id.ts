import { createHash } from 'node:crypto';
import { isBlank } from './blank.ts';
import type { StatementRecord } from './records.ts';

/** The id of a statement as it is written; undefined when it has none, or the text is not a JSON object. */
export function idOf(json: Buffer): string | undefined {
  try {
    const { id }: { readonly id?: unknown } = JSON.parse(json.toString('utf8')) ?? {};
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

const idMark = Buffer.from('"id"');

/**
 * The same statement with an id, where it has none: always the same one for the same text at the same place, so that it is not
 * stored twice when the import is run again.
 */
export function withId(record: StatementRecord, place: string): StatementRecord {
  const { json } = record;
  const start = json.findIndex((byte) => !isBlank(byte));
  // Most begin with it, and every activity has one: only what has no id in front is parsed.
  if (json.subarray(start, start + 8).includes(idMark) || !lacksId(json)) return record;
  const hash = createHash('sha256').update(place).update('\n').update(json).digest('hex');
  const rest = json.subarray(start + 1);
  return { ...record, json: Buffer.concat([Buffer.from(`{"id":"${uuidOf(hash)}",`), rest]) };
}

/** What is not a JSON object stays as it is, so that an error names the right place. */
function lacksId(json: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !hasId(value);
  } catch {
    return false;
  }
}

const hasId = (value: object): boolean => 'id' in value && typeof value.id === 'string';

/** A UUID of version 8, which is for values that a program makes of something else (RFC 9562 5.8). */
function uuidOf(hash: string): string {
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
