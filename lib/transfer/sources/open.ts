import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidError } from '../../errors.ts';
import { mayHoldSecret } from '../../secret-address.ts';
import { ContentSpool } from '../content-spool.ts';
import { xapiSource } from '../http/xapi-source.ts';
import type { Source } from '../records.ts';
import { withAttachmentFiles } from './attachment-files.ts';
import { bytesOf } from './bytes.ts';
import { copyInput } from './input-copy.ts';
import { jsonFile } from './json-file.ts';
import { itemsOf } from './json-items.ts';
import type { LearningLockerOptions } from './learning-locker.ts';
import { learningLockerDump } from './learning-locker-dump.ts';
import { lrsqlSource } from './lrsql/lrsql.ts';
import { isOwnExport, ownExport } from './own-export.ts';

export interface SourceOptions extends LearningLockerOptions {
  /** The folder of the import, for what has to be kept on the way. */
  readonly folder: string;
  /** A folder with the contents of attachments, named by their hashes; that of `files` without it. */
  readonly attachments?: string | undefined;
}

/**
 * Opens what `--from` names: an address, a database, a folder or a file, whose first bytes tell what it holds.
 * @throws InvalidError when nothing that is understood is there.
 */
export async function openSource(from: string, options: SourceOptions): Promise<Source> {
  if (/^https?:\/\//.test(from)) return xapiSource(from);
  if (/^postgres(ql)?:\/\//.test(from)) {
    const { openLrsqlPostgres } = await import('./lrsql/reader-postgres.ts');
    return lrsqlSource(await openLrsqlPostgres(from));
  }
  if (/^(mariadb|mysql):\/\//.test(from)) {
    const { openLrsqlMariadb } = await import('./lrsql/reader-mariadb.ts');
    return lrsqlSource(await openLrsqlMariadb(from));
  }
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(from) ?? [];
  if (scheme !== undefined) {
    throw new InvalidError(
      `Nothing is imported from ${scheme}…: --from names a file, a folder, - for the standard input, or an address that begins with https://, http://, postgres://, mariadb://, mysql:// or jdbc:.`,
    );
  }
  if (from === '-') return openCopy(from, 'standard input', options);
  const path = resolve(from);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw nothingAt(from, path);
  if (found.isDirectory()) return withFiles(learningLockerDump(path, options), options);
  return found.isFile() ? openFile(path, options) : openCopy(path, `pipe ${path}`, options);
}

/** What looks like an address with a secret is not shown. */
function nothingAt(from: string, path: string): InvalidError {
  return mayHoldSecret(from)
    ? new InvalidError(
        'There is no file of the name that --from gives. It looks like an address without a known scheme: it must begin with https://, http://, postgres://, mariadb://, mysql:// or jdbc:.',
      )
    : new InvalidError(`There is no file ${path}.`);
}

/** @param name of the source, for people. */
async function openCopy(from: string, name: string, options: SourceOptions): Promise<Source> {
  const copy = await copyInput(from, options.folder);
  try {
    const source = await openFile(copy.file, options);
    const close = async (): Promise<void> => {
      await source.close();
      await copy.remove();
    };
    return { ...source, name, close };
  } catch (error) {
    await copy.remove();
    throw error;
  }
}

async function openFile(path: string, options: SourceOptions): Promise<Source> {
  if (headOf(path).equals(sqliteHead)) {
    const { openLrsqlSqlite } = await import('./lrsql/reader-sqlite.ts');
    return lrsqlSource(await openLrsqlSqlite(path));
  }
  let first: Buffer = Buffer.alloc(0);
  for await (const item of itemsOf(bytesOf(path))) {
    if (isOwnExport(item)) return ownExport(path, new ContentSpool(join(options.folder, 'contents')));
    first = item.json;
    break;
  }
  return withFiles(jsonFile(path, first, options), options);
}

function withFiles(source: Source, { attachments, files }: SourceOptions): Source {
  const folder = attachments ?? files;
  if (folder === undefined) return source;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidError(`There is no folder ${folder}.`);
  return withAttachmentFiles(source, folder);
}

const sqliteHead = Buffer.from('SQLite format 3\0');

function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(sqliteHead.length);
    readSync(file, head, 0, head.length, 0);
    return head;
  } finally {
    closeSync(file);
  }
}
