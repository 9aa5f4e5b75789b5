import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import { type Coding, preferredCoding } from './accept-encoding.ts';

/** A file that a build has made, in the coding that the client likes best of those it is there in. */
export interface BuiltFile {
  readonly contentType: string;
  /** undefined: the file as it is. */
  readonly coding: Coding | undefined;
  readonly content: Buffer;
}

/** A file of another kind is not given away. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** What the build puts behind the name of a compressed copy. */
const suffixes: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

/**
 * Reads a file of a folder, or undefined when there is none of this name. Only names that the folder itself lists are
 * opened, so nothing that a client sends becomes part of a path.
 * @param accepted the header `Accept-Encoding` of the client.
 */
export async function readBuiltFile(
  folder: string,
  name: string,
  accepted = '',
): Promise<BuiltFile | undefined> {
  const contentType = mediaTypes[extname(name)];
  if (contentType === undefined) return undefined;
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    if (!names.includes(name)) return undefined;
    const coding = preferredCoding(accepted);
    const compressed = coding === undefined ? undefined : name + suffixes[coding];
    return compressed !== undefined && names.includes(compressed)
      ? { contentType, coding, content: await readFile(join(folder, compressed)) }
      : { contentType, coding: undefined, content: await readFile(join(folder, name)) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A build may replace the folder at any time. */
function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
