import { basename } from 'node:path';
import { InvalidError } from '../../errors.ts';
import { type CarriedLine, type ExportHead, formatName, formatVersion } from '../../export/format.ts';
import type { AttachmentPart } from '../../xapi/statement/attachments.ts';
import type { ContentSpool } from '../content-spool.ts';
import { excessOfContents, longestContents, parseLimited } from '../item-limits.ts';
import type { Cursor, Entry, Source, TransferRecord } from '../records.ts';
import { bytesOf } from './bytes.ts';
import { contentOf, otherLine, otherRecord, requireTexts } from './export-records.ts';
import { itemsOf, type JsonItem } from './json-items.ts';

/** An export of this LRS. @param spool keeps contents of attachments until the statements come that carry them. */
export function ownExport(file: string, spool: ContentSpool): Source {
  return {
    name: `export ${file}`,
    // All of its statements have ids, unless somebody has changed it.
    identity: `export ${basename(file)}`,
    count: async () => (await headOf(file)).statements,
    hasStatements: async () => (await headOf(file)).statements > 0,
    entries: (after) => entriesOf(file, spool, after),
    finish: () => spool.remove(),
    close: () => Promise.resolve(),
  };
}

/** Whether a first item is that of an export. */
export function isOwnExport({ json }: JsonItem): boolean {
  return json.subarray(0, 100).includes(`"${formatName}"`);
}

/** @throws InvalidError when a later release has made the file. */
async function headOf(file: string): Promise<ExportHead> {
  for await (const { json } of itemsOf(bytesOf(file))) {
    const { export: head } = parseLimited(json).value as { readonly export?: ExportHead };
    if (head?.format === formatName && head.version <= formatVersion) return head;
    break;
  }
  throw new InvalidError(`${file} is not an export that this release understands.`);
}

/** @param after the number of a line, and how many records there are up to it. */
async function* entriesOf(file: string, spool: ContentSpool, after: Cursor = ''): AsyncGenerator<Entry> {
  await headOf(file);
  const [done = 0, doneRecords = 0] = String(after).split(' ').map(Number);
  let records = doneRecords;
  let last: Buffer | undefined;
  const names = new Map<string, string>();
  for await (const { json, number } of itemsOf(bytesOf(file))) {
    last = json;
    const isDone = number <= done;
    // Key pairs that follow belong to it.
    if (isDone && !startsWith(json, accountMark)) continue;
    const record = await recordOf(json, spool, names);
    if (isDone) continue;
    if (isRecord(json)) records += 1;
    if (record !== undefined) yield { record, place: `line ${number}`, cursor: `${number} ${records}` };
  }
  requireComplete(file, last, records);
}

/** @throws InvalidError when the last line is missing, or others are. */
function requireComplete(file: string, last: Buffer | undefined, records: number): void {
  if (last === undefined || !startsWith(last, endMark))
    throw new InvalidError(`${file} was cut off: its last line is missing.`);
  const { end } = otherLine(last);
  const counted = Object.values(end ?? {}).reduce((sum: number, count) => sum + Number(count), 0);
  if (counted === records) return;
  throw new InvalidError(
    `${file} is not complete, or was changed: it has ${records} records, and its last line tells of ${counted}. Import the whole file, with another --folder.`,
  );
}

/** Whether the last line counts it: all but the first and the last line, and the last part of each content. */
const isRecord = (json: Buffer): boolean =>
  !startsWith(json, headMark) &&
  !startsWith(json, endMark) &&
  !(startsWith(json, contentMark) && /"more":true}}\s*$/.test(json.toString('latin1', json.length - 20)));

const startsWith = (json: Buffer, mark: Buffer): boolean => json.subarray(0, mark.length).equals(mark);

const headMark = Buffer.from('{"export":');
const endMark = Buffer.from('{"end":');
const contentMark = Buffer.from('{"content":');
const accountMark = Buffer.from('{"account":');
const statementMark = Buffer.from('{"statement":');

/**
 * undefined: the line belongs to a later one, or to the file.
 * @param names of the accounts that came before, by id.
 */
async function recordOf(
  json: Buffer,
  spool: ContentSpool,
  names: Map<string, string>,
): Promise<TransferRecord | undefined> {
  try {
    if (startsWith(json, statementMark)) return await statementOf(json, spool);
    const line = otherLine(json);
    if (line.content !== undefined) await spool.add(contentOf(line.content));
    return otherRecord(line, names);
  } catch (error) {
    if (error instanceof InvalidError) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

/**
 * The statement stays the text that it is, because parsing it would change numbers: what is behind it is looked for from the
 * end, where no statement can hold it.
 */
async function statementOf(json: Buffer, spool: ContentSpool): Promise<TransferRecord> {
  const end = json.lastIndexOf('}') + 1;
  const whole = { start: statementMark.length, end: end - 1 };
  const short = json.subarray(whole.start, whole.end);
  const behind = restAt(json, whole.start);
  if (behind === undefined) return { kind: 'statement', json: short, parts: [], voided: false };
  const rest = parseLimited(Buffer.from(`{${json.toString('utf8', behind + 1, end)}`)).value as {
    readonly voided?: unknown;
    readonly contents?: unknown;
  };
  const carried = carriedOf(rest.contents);
  await requireRoom(carried, spool);
  const parts: AttachmentPart[] = [];
  for (const { sha2, contentType } of carried) {
    const content = await spool.read(sha2);
    if (content !== undefined) parts.push({ sha2, contentType, content });
  }
  const carries = carried.map(({ sha2 }) => sha2);
  const statement = json.subarray(whole.start, behind);
  return { kind: 'statement', json: statement, parts, carries, voided: rest.voided === true };
}

/** @throws InvalidError when the contents are too long to be in memory together. */
async function requireRoom(carried: readonly CarriedLine[], spool: ContentSpool): Promise<void> {
  let bytes = 0;
  for (const { sha2 } of carried) bytes += await spool.lengthOf(sha2);
  if (bytes > longestContents) throw new InvalidError(excessOfContents(bytes));
}

/** @throws InvalidError when it is not what an export has. */
function carriedOf(contents: unknown = []): readonly CarriedLine[] {
  if (!Array.isArray(contents)) throw new InvalidError('its contents are not a list');
  return contents.map((each: unknown) => {
    const { sha2, contentType }: CarriedLine = Object(each);
    requireTexts({ sha2, contentType });
    return { sha2, contentType };
  });
}

/** Where the statement ends and other members follow; undefined when none do. */
function restAt(json: Buffer, start: number): number | undefined {
  const end = endOfObject(json, start);
  return json[end] === comma ? end : undefined;
}

const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;

/** Behind the brace that closes the object that begins there. */
function endOfObject(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === 0x7b) depth += 1;
    else if (byte === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

/** The quote that closes the string that begins there. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(quote, start + 1); end >= 0; end = json.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
