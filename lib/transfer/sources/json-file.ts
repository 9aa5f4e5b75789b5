import type { Cursor, Entry, Source, StatementRecord, TransferRecord } from '../records.ts';
import { bytesOf } from './bytes.ts';
import { itemsOf } from './json-items.ts';
import {
  isLearningLockerItem,
  type LearningLockerOptions,
  learningLockerRecord,
  parseExtended,
  type ReadingOptions,
  storeSuffix,
} from './learning-locker.ts';
import { StoresFound } from './stores-found.ts';

/**
 * Statements in a file of JSON, one in each line or in an array, as most programs write them; within `_source` as Elasticsearch
 * and Ralph's MongoDB have them, as `statements` of an answer of an LRS, or documents of Learning Locker as `mongoexport` writes
 * them.
 */
export function jsonFile(file: string, options: LearningLockerOptions): Source {
  const reading = { files: options.files, stores: new StoresFound(options.lrs) };
  return {
    name: `file ${file}${storeSuffix(options)}`,
    notice: () => reading.stores.notice,
    entries: (after) => entriesOf(file, reading, after),
    close: () => Promise.resolve(),
  };
}

async function* entriesOf(file: string, reading: ReadingOptions, after: Cursor = 0): AsyncGenerator<Entry> {
  const [done = 0, statementsDone = 0] = String(after).split(' ').map(Number);
  for await (const { json, number } of itemsOf(bytesOf(file))) {
    if (number <= done) continue;
    const records = recordsOf(json, reading);
    for (const [index, record] of records.entries()) {
      if (number === done + 1 && index < statementsDone) continue;
      const place = records.length > 1 ? `item ${number}, statement ${index + 1}` : `item ${number}`;
      // An item counts as read with its last statement.
      yield { record, place, cursor: index === records.length - 1 ? number : `${number - 1} ${index + 1}` };
    }
  }
  // What comes before the place where it continues was not looked at.
  if (after === 0) reading.stores.requireWanted();
}

const wrappers = [/^\s*\{\s*"statements"/, /"_source"/, /"\$oid"|"\$date"|"personaIdentifier"/];

function recordsOf(json: Buffer, reading: ReadingOptions): readonly TransferRecord[] {
  const head = json.toString('latin1', 0, 400);
  if (!wrappers.some((wrapper) => wrapper.test(head)) && !json.includes('"_source"'))
    return [statement(json)];
  let item: unknown;
  try {
    item = JSON.parse(json.toString('utf8'));
  } catch {
    return [statement(json)];
  }
  if (!isRecord(item) || 'actor' in item) return [statement(json)];
  if (isRecord(item._source)) return [statement(printed(item._source))];
  if (Array.isArray(item.statements)) return item.statements.map((each) => statement(printed(each)));
  return isLearningLockerItem(item)
    ? learningLockerRecord(parseExtended(json.toString('utf8')), reading)
    : [statement(json)];
}

const statement = (json: Buffer): StatementRecord => ({ kind: 'statement', json, parts: [] });
const printed = (item: unknown): Buffer => Buffer.from(JSON.stringify(item));

function isRecord(item: unknown): item is Readonly<Record<string, unknown>> {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}
