import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EJSON } from 'bson';
import type { DocumentAddress } from '../../documents/types.ts';
import { identifierOf } from '../../xapi/agent.ts';
import type { Agent } from '../../xapi/types.ts';
import type { TransferRecord } from '../records.ts';
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

/** What `mongoexport` has written, with dates and ids as the driver has them. */
export function parseExtended(text: string): Item {
  return EJSON.parse(text, { relaxed: true });
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
