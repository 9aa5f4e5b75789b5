import { basename, join } from 'node:path';
import { Binary, BSONError, EJSON, ObjectId } from 'bson';
import type { DocumentAddress } from '../../documents/types.ts';
import { InvalidError } from '../../errors.ts';
import { printJson } from '../../json/json.ts';
import { earlyLogger } from '../../logger.ts';
import { longestContents } from '../item-limits.ts';
import type { TransferRecord } from '../records.ts';
import { identifierOfAny } from './any-agent.ts';
import { binaryText, jsonTree } from './bson-tree.ts';
import { contentOf, lengthOf } from './file-content.ts';
import type { StoresFound } from './stores-found.ts';

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

/** A document of a collection. */
export type Item = Readonly<Record<string, unknown>>;

/** Whether an item of a file is a document of the collections of Learning Locker. */
export function isLearningLockerItem(item: Item): boolean {
  return '_id' in item && ('statement' in item || 'stateId' in item || 'profileId' in item);
}

/**
 * The records of what `mongoexport` has written.
 * @param source the tree of its text, with marked numbers.
 */
export function exportedRecord(source: object, reading: ReadingOptions): TransferRecord[] {
  return readable(() => recordOf(itemOf(source), reading, true));
}

/** @throws InvalidError for what is not Extended JSON, whatever its parser makes of it. */
function itemOf(source: object): Item {
  try {
    return EJSON.deserialize(source, { relaxed: false });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidError(`it is not Extended JSON: ${reason}`, { cause });
  }
}

/** The record of a document as the driver has it; none when it belongs to another store. */
export function learningLockerRecord(item: Item, reading: ReadingOptions): TransferRecord[] {
  return readable(() => recordOf(item, reading, false));
}

/** A document that cannot be read is refused, and the others are imported. An error of this program is logged, too. */
function readable(read: () => TransferRecord[]): TransferRecord[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidError || error instanceof BSONError) {
      return [{ kind: 'unreadable', reason: error.message }];
    }
    earlyLogger.error({ err: error }, 'a document of Learning Locker could not be converted');
    return [
      {
        kind: 'unreadable',
        reason: `it could not be converted (${String(error)}), which is a defect of the import`,
      },
    ];
  }
}

function recordOf(item: Item, reading: ReadingOptions, marked: boolean): TransferRecord[] {
  if (!reading.stores.takes(idText(item.lrs_id ?? item.lrs))) return [];
  if ('statement' in item) {
    const json = Buffer.from(printJson(jsonTree(item.statement, marked)));
    return [{ kind: 'statement', json, parts: [], voided: item.voided === true }];
  }
  return [documentOf(item, reading, marked)];
}

function documentOf(item: Item, options: ReadingOptions, marked: boolean): TransferRecord {
  const address = addressOf(item, marked);
  const content = bytesOfContent(item, address, options, marked);
  if (content === undefined) {
    throw new InvalidError('its content is a file, which is not there: name the folder with --files');
  }
  const { contentType } = item;
  return {
    kind: 'document',
    address,
    document: {
      contentType: typeof contentType === 'string' ? contentType : 'application/octet-stream',
      content,
    },
    updated: updatedOf(item),
  };
}

/** Microseconds since the epoch; 0 where it is not known. */
function updatedOf({ updatedAt }: Item): number {
  const time = updatedAt instanceof Date ? updatedAt.getTime() : timeOf(updatedAt);
  return Number.isFinite(time) ? time * 1000 : 0;
}

const timeOf = (text: unknown): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);

const folderOf = {
  'activities/state': 'states',
  'activities/profile': 'activityProfiles',
  'agents/profile': 'agentProfiles',
} as const;

/**
 * The bytes that Learning Locker answers with: what is in `content`, printed where the type is exactly that of JSON, also when it is a
 * text; or a file, where `content` is missing or null, as its driver writes it.
 */
function bytesOfContent(
  item: Item,
  { kind }: DocumentAddress,
  { files }: ReadingOptions,
  marked: boolean,
): Buffer | undefined {
  const { content, contentType } = item;
  if (typeof content === 'string' && contentType !== 'application/json') return Buffer.from(content);
  if (content instanceof Binary) return Buffer.from(content.value());
  if (content !== undefined && content !== null) return Buffer.from(printJson(jsonTree(content, marked)));
  if (files === undefined) return undefined;
  const [store, id] = [idText(item.lrs), idText(item._id)];
  if (store === undefined || id === undefined) return undefined;
  const folder = basename(store);
  // The path of such a store would lead out of the folder of files.
  if (folder === '..') return undefined;
  const file = join(files, folder, folderOf[kind], basename(`${id}.${idText(item.extension)}`));
  const bytes = lengthOf(file);
  if (bytes > longestContents) {
    throw new InvalidError(`its content is a file of ${bytes} bytes, and an import reads ${longestContents}`);
  }
  return contentOf(file);
}

/** @throws InvalidError when something is missing that addresses a document. */
function addressOf(item: Item, marked: boolean): DocumentAddress {
  const { activityId, agent, registration, stateId, profileId } = item;
  const owner = {
    activity: typeof activityId === 'string' ? activityId : undefined,
    agent: identifierOfAny(jsonTree(agent, marked)),
    registration: typeof registration === 'string' ? registration.toLowerCase() : undefined,
  };
  const kind = kindOf(item, owner.activity);
  if (kind !== 'activities/profile' && owner.agent === undefined) {
    throw new InvalidError('its agent has no identifier');
  }
  if (kind !== 'agents/profile' && owner.activity === undefined) {
    throw new InvalidError('it names no activity');
  }
  return { kind, ...owner, id: String(stateId ?? profileId) };
}

function kindOf({ stateId, profileId }: Item, activity: string | undefined): DocumentAddress['kind'] {
  if (typeof stateId === 'string') return 'activities/state';
  if (typeof profileId !== 'string') throw new InvalidError('it is neither a state nor a profile');
  return activity === undefined ? 'agents/profile' : 'activities/profile';
}

/** An `_id` or a reference to one as text, where it is one of the usual ones. */
export function idText(id: unknown): string | undefined {
  if (id instanceof ObjectId) return id.toHexString();
  if (id instanceof Binary) return binaryText(id);
  return ['string', 'number', 'bigint'].includes(typeof id) ? String(id) : undefined;
}
