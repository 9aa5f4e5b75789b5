import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BSON, EJSON } from 'bson';
import type { DocumentAddress } from '../../documents/types.ts';
import { InvalidError } from '../../errors.ts';
import { identifierOf } from '../../xapi/agent.ts';
import type { Agent } from '../../xapi/types.ts';
import type { Cursor, Entry, Source, TransferRecord } from '../records.ts';
import { bytesOf } from './bytes.ts';
import { longestItem } from './json-items.ts';
import { StoresFound } from './stores-found.ts';

export interface LearningLockerOptions {
  /** Only what belongs to this store (`lrs_id`, `lrs`), of an installation that has several; all without it. */
  readonly lrs?: string | undefined;
  /** The folder in which Learning Locker keeps files (`FS_LOCAL_STORAGE_DIR`); without it, documents that are files are refused. */
  readonly files?: string | undefined;
}

/** How documents of Learning Locker become records. */
export interface ReadingOptions extends Pick<LearningLockerOptions, 'files'> {
  readonly stores: StoresFound;
}

/** Of the name of a source: each of several stores is an import of its own. */
export const storeSuffix = ({ lrs }: LearningLockerOptions): string =>
  lrs === undefined ? '' : `, store ${lrs}`;

type Item = Readonly<Record<string, unknown>>;

/** Whether an item of a file is a document of the collections of Learning Locker. */
export function isLearningLockerItem(item: Item): boolean {
  return '_id' in item && ('statement' in item || 'stateId' in item || 'profileId' in item);
}

/** What `mongoexport` has written, with dates and ids as the driver has them. */
export function parseExtended(text: string): Item {
  return EJSON.parse(text, { relaxed: true });
}

/** Collections in the order in which they are imported. */
const collections: readonly string[] = ['states', 'activityProfiles', 'agentProfiles', 'statements'];
const isDump = /\.bson(\.gz)?$/;

/** The files of a folder that `mongodump` has written, by their collections. */
export function dumpFiles(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((name) => isDump.test(name));
  return new Map(files.map((name) => [name.replace(isDump, ''), join(folder, name)]));
}

/** Statements, states and profiles of a folder that `mongodump` has written. */
export function learningLockerDump(folder: string, options: LearningLockerOptions): Source {
  const files = dumpFiles(folder);
  const reading = { files: options.files, stores: new StoresFound(options.lrs) };
  return {
    name: `Learning Locker dump ${folder}${storeSuffix(options)}`,
    hasStatements: () => Promise.resolve(files.has('statements')),
    notice: () => reading.stores.notice,
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
      const item: Item = BSON.deserialize(bytes);
      for (const record of learningLockerRecord(item, reading)) {
        yield { record, place: `${name} ${String(item._id)}`, cursor: `${name} ${number}` };
      }
    }
  }
  // What comes before the place where it continues was not looked at.
  if (after === '') reading.stores.requireWanted();
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
/** A document without members: its length and the zero at its end. */
const shortestDocument = 5;

/** How many bytes the document has that begins there; those of its length as long as they are not there. */
function wantedOf(bytes: Buffer, file: string): number {
  if (bytes.length < lengthBytes) return lengthBytes;
  const length = bytes.readInt32LE();
  if (length >= shortestDocument && length <= longestItem) return length;
  throw new InvalidError(
    `${file} is not a dump of mongodump: a document in it says that it has ${length} bytes, which must be ${shortestDocument} to ${longestItem}.`,
  );
}

/** The record of a document; none when it belongs to another store. */
export function learningLockerRecord(item: Item, reading: ReadingOptions): TransferRecord[] {
  const store = item.lrs_id ?? item.lrs;
  if (!reading.stores.takes(store === undefined ? undefined : String(store))) return [];
  if ('statement' in item) {
    const json = Buffer.from(JSON.stringify(withDots(item.statement)));
    return [{ kind: 'statement', json, parts: [], voided: item.voided === true }];
  }
  return [documentOf(item, reading)];
}

/** Names of members have no dots in MongoDB, so Learning Locker writes `&46;` for them. */
function withDots(tree: unknown): unknown {
  if (typeof tree !== 'object' || tree === null || tree instanceof Date) return tree;
  if (Array.isArray(tree)) return tree.map(withDots);
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [name.replaceAll('&46;', '.'), withDots(value)]),
  );
}

function documentOf(item: Item, options: ReadingOptions): TransferRecord {
  const address = addressOf(item);
  if (address === undefined) return { kind: 'unreadable', reason: 'it is neither a state nor a profile' };
  const { contentType, updatedAt } = item;
  const content = contentOf(item, address, options);
  if (content === undefined) {
    return {
      kind: 'unreadable',
      reason: 'its content is a file, which is not there: name the folder with --files',
    };
  }
  return {
    kind: 'document',
    address,
    document: { contentType: String(contentType), content },
    updated: updatedAt instanceof Date ? updatedAt.getTime() * 1000 : 0,
  };
}

const folderOf = {
  'activities/state': 'states',
  'activities/profile': 'activityProfiles',
  'agents/profile': 'agentProfiles',
} as const;

function contentOf(item: Item, { kind }: DocumentAddress, { files }: ReadingOptions): Buffer | undefined {
  if (item.content !== undefined) {
    const text = typeof item.content === 'string' ? item.content : JSON.stringify(withDots(item.content));
    return Buffer.from(text);
  }
  if (files === undefined) return undefined;
  const name = basename(`${String(item._id)}.${String(item.extension)}`);
  try {
    return readFileSync(join(files, basename(String(item.lrs)), folderOf[kind], name));
  } catch {
    return undefined;
  }
}

function addressOf(item: Item): DocumentAddress | undefined {
  const { activityId, agent, registration, stateId, profileId } = item;
  const owner = {
    activity: typeof activityId === 'string' ? activityId : undefined,
    agent: typeof agent === 'object' && agent !== null ? identifierOf(withDots(agent) as Agent) : undefined,
    registration: typeof registration === 'string' ? registration.toLowerCase() : undefined,
  };
  if (typeof stateId === 'string') return { kind: 'activities/state', ...owner, id: stateId };
  if (typeof profileId !== 'string') return undefined;
  const kind = owner.activity === undefined ? 'agents/profile' : 'activities/profile';
  return { kind, ...owner, id: profileId };
}
