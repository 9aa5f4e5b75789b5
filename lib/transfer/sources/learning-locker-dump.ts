import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BSON } from 'bson';
import { codeOf, InvalidError } from '../../errors.ts';
import type { Cursor, Entry, Source, TransferRecord } from '../records.ts';
import { bytesOf } from './bytes.ts';
import {
  type Item,
  idText,
  type LearningLockerOptions,
  learningLockerRecord,
  type ReadingOptions,
  storeSuffix,
} from './learning-locker.ts';
import { StoresFound } from './stores-found.ts';

/** Collections in the order in which they are imported. */
const collections: readonly string[] = ['states', 'activityProfiles', 'agentProfiles', 'statements'];
const isDump = /\.bson(\.gz)?$/i;

/** The files of a folder that `mongodump` has written. */
interface Dump {
  /** By the names of the collections that are imported. */
  readonly files: ReadonlyMap<string, string>;
  /** The names of the others. */
  readonly others: readonly string[];
}

/**
 * The names of collections may be written in capitals, as some programs for databases do.
 * @throws InvalidError when none of the collections is there, or one of them twice.
 */
function dumpOf(folder: string): Dump {
  const dumped = namesIn(folder).filter((name) => isDump.test(name));
  if (dumped.length === 0) {
    const [inside] = foldersWithDumps(folder);
    throw new InvalidError(
      inside === undefined
        ? `The folder ${folder} holds no dump: mongodump writes files that end in .bson.`
        : `The folder ${folder} holds no dump itself, but ${inside} does, where mongodump has written the files of a database: give that folder.`,
    );
  }
  const collectionOf = (name: string): string | undefined =>
    collections.find((each) => each.toLowerCase() === name.replace(isDump, '').toLowerCase());
  const files = new Map<string, string>();
  for (const name of dumped) {
    const collection = collectionOf(name);
    if (collection === undefined) continue;
    const other = files.get(collection);
    if (other !== undefined) {
      throw new InvalidError(
        `The folder ${folder} has ${collection} twice: ${other} and ${join(folder, name)}.`,
      );
    }
    files.set(collection, join(folder, name));
  }
  const others = dumped.filter((name) => collectionOf(name) === undefined);
  if (files.size > 0) return { files, others };
  throw new InvalidError(
    `The folder ${folder} has none of the collections that are imported (${collections.join(', ')}), only ${listed(others)}.`,
  );
}

/** @throws InvalidError when the folder cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw new InvalidError(`The folder ${folder} cannot be read: ${codeOf(cause)}.`, { cause });
  }
}

/** mongodump writes the collections of each database into a folder of its own. What cannot be read beside it is no dump to name. */
function foldersWithDumps(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return inside
    .map(({ name }) => join(folder, name))
    .filter((each) => hasDump(each))
    .sort();
}

function hasDump(folder: string): boolean {
  try {
    return namesIn(folder).some((name) => isDump.test(name));
  } catch {
    return false;
  }
}

/** Files that a sentence names. */
const mostNamed = 20;

function listed(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `${names.slice(0, mostNamed).join(', ')}${more}`;
}

/** Statements, states and profiles of a folder that `mongodump` has written. @throws InvalidError when it has none of them. */
export function learningLockerDump(folder: string, options: LearningLockerOptions): Source {
  const { files, others } = dumpOf(folder);
  const reading = { files: options.files, stores: new StoresFound(options.lrs) };
  const skipped = others.length === 0 ? undefined : `Not imported from ${folder}: ${listed(others)}.`;
  return {
    name: `Learning Locker dump ${folder}${storeSuffix(options)}`,
    // Its places are ids.
    identity: 'Learning Locker',
    hasStatements: () => Promise.resolve(files.has('statements')),
    notice: () => [reading.stores.notice, skipped].filter(Boolean).join('\n') || undefined,
    entries: (after) => dumpEntries(files, reading, after),
    close: () => Promise.resolve(),
  };
}

async function* dumpEntries(
  files: ReadonlyMap<string, string>,
  reading: ReadingOptions,
  after: Cursor = '',
): AsyncGenerator<Entry> {
  const [reached = '', done = '0'] = String(after).split(' ');
  const start = Math.max(0, collections.indexOf(reached));
  for (const name of collections.slice(start)) {
    const file = files.get(name);
    if (file === undefined) continue;
    let number = 0;
    for await (const bytes of bsonDocuments(file)) {
      number += 1;
      if (name === reached && number <= Number(done)) continue;
      const { id, records } = recordsOf(bytes, reading);
      const place = `${name} ${id ?? `document ${number}`}`;
      for (const record of records) yield { record, place, cursor: `${name} ${number}` };
    }
  }
  // What comes before the place where it continues was not looked at.
  if (after === '') reading.stores.requireWanted();
}

/** @returns the `_id` as text, where it is one of the usual ones. */
function recordsOf(
  bytes: Buffer,
  reading: ReadingOptions,
): { id: string | undefined; records: TransferRecord[] } {
  let item: Item;
  try {
    // Integers of 64 bits become a bigint, which has all their digits.
    item = BSON.deserialize(bytes, { useBigInt64: true });
  } catch (error) {
    // Its parser meets damaged bytes with errors of several kinds.
    const reason = error instanceof Error ? error.message : String(error);
    return { id: undefined, records: [{ kind: 'unreadable', reason: `it is not BSON: ${reason}` }] };
  }
  return { id: idText(item._id), records: learningLockerRecord(item, reading) };
}

/**
 * Splits a dump: each document begins with its length (bsonspec.org).
 * @throws InvalidError when a length is not one of a document, or the last document is not complete.
 */
async function* bsonDocuments(file: string): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = lengthBytes;
  for await (const chunk of bytesOf(file)) {
    pieces.push(chunk);
    held += chunk.length;
    if (held < wanted) continue;
    let rest = Buffer.concat(pieces);
    for (wanted = wantedOf(rest, file); rest.length >= wanted; wanted = wantedOf(rest, file)) {
      yield rest.subarray(0, wanted);
      rest = rest.subarray(wanted);
    }
    pieces = [rest];
    held = rest.length;
  }
  if (held > 0) throw new InvalidError(`${file} was cut off: its last document is not complete.`);
}

const lengthBytes = 4;
/** What MongoDB writes at most: 16 MiB, and 16 KiB for its own purposes (BSONObjMaxInternalSize). */
const longestDocument = 16 * 1024 * 1024 + 16 * 1024;
/** A document without members: its length and the zero at its end. */
const shortestDocument = 5;

/** How many bytes the document has that begins there; those of its length as long as they are not there. */
function wantedOf(bytes: Buffer, file: string): number {
  if (bytes.length < lengthBytes) return lengthBytes;
  const length = bytes.readInt32LE();
  if (length >= shortestDocument && length <= longestDocument) return length;
  throw new InvalidError(
    `${file} is not a dump of mongodump: a document in it says that it has ${length} bytes, which must be ${shortestDocument} to ${longestDocument}.`,
  );
}
