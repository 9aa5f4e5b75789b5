import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { InvalidError } from '../../errors.ts';
import { type ParsedJson, parseJson, printJson } from '../../json/json.ts';
import type { Cursor, Entry, Source, StatementRecord, TransferRecord } from '../records.ts';
import { isList } from '../single-statement.ts';
import { bytesOf } from './bytes.ts';
import { itemsOf } from './json-items.ts';
import {
  exportedRecord,
  isLearningLockerItem,
  type LearningLockerOptions,
  type ReadingOptions,
  storeSuffix,
} from './learning-locker.ts';
import { StoresFound } from './stores-found.ts';

/**
 * Statements in a file of JSON, one or a list of them in each line or item of an array, as most programs write them; within `_source` as Elasticsearch
 * and Ralph's MongoDB have them, as `statements` of an answer of an LRS, or documents of Learning Locker as `mongoexport` writes
 * them.
 * @param first the first item of the file.
 */
export function jsonFile(file: string, first: Buffer, options: LearningLockerOptions): Source {
  const reading = { files: options.files, stores: new StoresFound(options.lrs) };
  return {
    name: `file ${file}${storeSuffix(options)}`,
    // The first item stays where further ones are appended.
    identity: `${basename(file)} ${createHash('sha256').update(first).digest('hex')}`,
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
  if (isList(json)) return listed(json);
  const head = json.toString('latin1', 0, 400);
  if (!wrappers.some((wrapper) => wrapper.test(head)) && !json.includes('"_source"'))
    return [statement(json)];
  const parsed = parsedOrNone(json);
  if (parsed === undefined) return [statement(json)];
  const { value, source } = parsed;
  if (!isRecord(value) || !isRecord(source) || 'actor' in value) return [statement(json)];
  // Numbers are printed as they came.
  if (isRecord(value._source)) return [statement(printed(source._source))];
  if (Array.isArray(source.statements)) return source.statements.map((each) => statement(printed(each)));
  return isLearningLockerItem(value) ? exportedRecord(source, reading) : [statement(json)];
}

/** What is no JSON is refused as a whole. */
function listed(json: Buffer): readonly TransferRecord[] {
  const { source } = parsedOrNone(json) ?? {};
  return Array.isArray(source) ? source.map((each) => statement(printed(each))) : [statement(json)];
}

/** undefined: reading it as a statement says what is wrong with it. */
function parsedOrNone(json: Buffer): ParsedJson | undefined {
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof InvalidError) return undefined;
    throw error;
  }
}

const statement = (json: Buffer): StatementRecord => ({ kind: 'statement', json, parts: [] });
const printed = (item: unknown): Buffer => Buffer.from(printJson(item));

function isRecord(item: unknown): item is Readonly<Record<string, unknown>> {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}
