import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { InvalidError } from '../../errors.ts';
import { type ParsedJson, printJson } from '../../json/json.ts';
import { isBlank } from '../blank.ts';
import { parseLimited } from '../item-limits.ts';
import type { Cursor, Entry, Source, StatementRecord, TransferRecord } from '../records.ts';
import { isList } from '../single-statement.ts';
import { bytesOf } from './bytes.ts';
import { itemsOf, listIn } from './json-items.ts';
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
  let further: number | undefined;
  for await (const { json, number } of itemsOf(bytesOf(file))) {
    if (number < done) continue;
    const page = pageOf(json);
    further = page?.more ? number : undefined;
    if (number === done) continue;
    const skipped = number === done + 1 ? statementsDone : 0;
    yield* entriesOfItem(number, page?.records ?? recordsOf(json, reading), skipped);
  }
  if (further !== undefined) yield { record: furtherPages, place: 'end of the file', cursor: further };
  // What comes before the place where it continues was not looked at.
  if (after === 0) reading.stores.requireWanted();
}

/** @param skipped how many of its records are imported already. */
function* entriesOfItem(
  number: number,
  records: Iterable<TransferRecord>,
  skipped: number,
): Generator<Entry> {
  let index = 0;
  for (const { record, isLast } of marked(records)) {
    index += 1;
    if (index <= skipped) continue;
    const place = isLast && index === 1 ? `item ${number}` : `item ${number}, statement ${index}`;
    // An item counts as read with its last statement.
    yield { record, place, cursor: isLast ? number : `${number - 1} ${index}` };
  }
}

const furtherPages: TransferRecord = {
  kind: 'unreadable',
  reason:
    'the last page of statements has a more, which leads to statements that are not in the file (xAPI 1.0.3 Data 2.5)',
};

/** Each record with whether it is the last. */
function* marked(records: Iterable<TransferRecord>): Generator<{ record: TransferRecord; isLast: boolean }> {
  let held: TransferRecord | undefined;
  for (const record of records) {
    if (held !== undefined) yield { record: held, isLast: false };
    held = record;
  }
  if (held !== undefined) yield { record: held, isLast: true };
}

const longestHead = 400;
const headOf = (json: Buffer): string => json.toString('latin1', 0, longestHead);

interface Page {
  readonly records: Iterable<TransferRecord>;
  /** Whether it leads to further pages. */
  readonly more: boolean;
}

/** An answer of an LRS (xAPI 1.0.3 Data 2.5), whose statements are not parsed; undefined when it is none. */
function pageOf(json: Buffer): Page | undefined {
  const [before] = /^\s*\{\s*"statements"\s*:\s*(?=\[)/.exec(headOf(json)) ?? [];
  if (before === undefined) return undefined;
  try {
    const list = listIn(json, before.length);
    if (list === undefined) return undefined;
    const rest = Buffer.concat([Buffer.from('{"statements":[]'), json.subarray(list.end)]);
    const value = parsedOrNone(rest)?.value;
    if (!isRecord(value) || 'actor' in value) return undefined;
    return { records: statementsOf(list.items), more: Boolean(value.more) };
  } catch (error) {
    return { records: refusedOver(error), more: false };
  }
}

const wrappers = [/"_source"/, /"\$oid"|"\$date"|"personaIdentifier"/];

function recordsOf(json: Buffer, reading: ReadingOptions): Iterable<TransferRecord> {
  if (isList(json)) return listed(json);
  const head = headOf(json);
  if (!wrappers.some((wrapper) => wrapper.test(head)) && !json.includes('"_source"'))
    return [statement(json)];
  const parsed = parsedOrNone(json);
  if (parsed === undefined) return [statement(json)];
  const { value, source } = parsed;
  if (!isRecord(value) || !isRecord(source) || 'actor' in value) return [statement(json)];
  // Numbers are printed as they came.
  if (isRecord(value._source)) return [statement(printed(source._source))];
  return isLearningLockerItem(value) ? exportedRecord(source, reading) : [statement(json)];
}

/** What is no JSON is refused as a whole. */
function listed(json: Buffer): Iterable<TransferRecord> {
  try {
    const list = listIn(
      json,
      json.findIndex((byte) => !isBlank(byte)),
    );
    return list !== undefined && json.subarray(list.end).every(isBlank)
      ? statementsOf(list.items)
      : [statement(json)];
  } catch (error) {
    return refusedOver(error);
  }
}

function* statementsOf(items: Iterable<Buffer>): Generator<TransferRecord> {
  for (const item of items) yield statement(item);
}

function refusedOver(error: unknown): readonly TransferRecord[] {
  if (error instanceof InvalidError) return [{ kind: 'unreadable', reason: error.message }];
  throw error;
}

/** undefined: reading it as a statement says what is wrong with it. */
function parsedOrNone(json: Buffer): ParsedJson | undefined {
  try {
    return parseLimited(json);
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
