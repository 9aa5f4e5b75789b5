import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AttachmentPart } from '../../xapi/statement/attachments.ts';
import type { Attachment } from '../../xapi/types.ts';
import { excessOfContents, excessOfStatement, longestContents } from '../item-limits.ts';
import type { Cursor, Entry, Source, StatementRecord, Unreadable } from '../records.ts';
import { contentOf, lengthOf } from './file-content.ts';

/**
 * A source of statements whose attachments are files of a folder: at any depth, named by the SHA-2 hash of their content, with
 * or without an extension, as `LRS/attachments/HASH.EXTENSION` of Learning Locker. The store checks that each content has its
 * hash. The names of the files are held in memory.
 */
export function withAttachmentFiles(source: Source, folder: string): Source {
  let files: ReadonlyMap<string, string> | undefined;
  const find = (sha2: string): string | undefined => {
    files ??= filesByHash(folder);
    return files.get(sha2.toLowerCase());
  };
  return { ...source, entries: (after) => entriesOf(source, find, after) };
}

type Find = (sha2: string) => string | undefined;

async function* entriesOf(source: Source, find: Find, after?: Cursor): AsyncGenerator<Entry> {
  for await (const entry of source.entries(after)) {
    const { record } = entry;
    yield record.kind === 'statement' ? { ...entry, record: completed(record, find) } : entry;
  }
}

const mark = Buffer.from('"attachments"');

/** The same record, whose contents are read when somebody asks for them: a comparison does not. */
function completed(record: StatementRecord, find: Find): StatementRecord | Unreadable {
  // The store refuses one that is too long to be parsed.
  if (!record.json.includes(mark) || excessOfStatement(record.json) !== undefined) return record;
  const files = filesOf(record.json, find);
  const bytes = files.reduce((sum, { file }) => sum + lengthOf(file), 0);
  if (bytes > longestContents) return { kind: 'unreadable', reason: excessOfContents(bytes) };
  let parts: readonly AttachmentPart[] | undefined;
  return {
    ...record,
    get parts() {
      parts ??= partsOf(files);
      return parts;
    },
  };
}

/** An attachment and the file that has its content. */
interface AttachmentFile extends Pick<Attachment, 'sha2' | 'contentType'> {
  readonly file: string;
}

function filesOf(json: Buffer, find: Find): AttachmentFile[] {
  return attachmentsIn(json).flatMap(({ sha2, contentType }) => {
    const file = find(sha2);
    return file === undefined ? [] : { sha2, contentType, file };
  });
}

function partsOf(files: readonly AttachmentFile[]): AttachmentPart[] {
  return files.flatMap(({ sha2, contentType, file }) => {
    // Without it, the statement is treated as one whose content is not there.
    const content = contentOf(file);
    return content === undefined ? [] : { sha2, contentType, content };
  });
}

/** Those of a statement and of its SubStatement that can be looked for. Nothing of it has been checked yet. */
function attachmentsIn(json: Buffer): Attachment[] {
  try {
    const { attachments, object }: Readonly<Record<string, unknown>> = JSON.parse(json.toString('utf8'));
    return [attachments, isObject(object) ? object.attachments : undefined].flatMap((list) =>
      Array.isArray(list) ? list.filter(isAttachment) : [],
    );
  } catch {
    // The store says what is wrong with it.
    return [];
  }
}

function isAttachment(value: unknown): value is Attachment {
  return isObject(value) && typeof value.sha2 === 'string' && typeof value.contentType === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A hash of SHA-224 to SHA-512, and an extension. */
const namedByHash = /^([0-9a-f]{56,128})(?:\..*)?$/i;

/** The first file of each hash; all of them should have the same content. */
function filesByHash(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const hash = namedByHash.exec(entry.name)?.[1]?.toLowerCase();
    if (hash !== undefined && entry.isFile() && !found.has(hash))
      found.set(hash, join(entry.parentPath, entry.name));
  }
  return found;
}
