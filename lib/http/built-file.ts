import { statSync } from 'node:fs';
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
 * Gives a file of a folder, or undefined when there is none of this name. Only names that the folder itself lists are
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
    const names = await cached(folder, namesOf);
    if (!names.has(name)) return undefined;
    const coding = preferredCoding(accepted);
    const compressed = coding === undefined ? undefined : name + suffixes[coding];
    return compressed !== undefined && names.has(compressed)
      ? { contentType, coding, content: await cached(join(folder, compressed), read) }
      : { contentType, coding: undefined, content: await cached(join(folder, name), read) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function namesOf(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  return new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name));
}

const read = (path: string): Promise<Buffer> => readFile(path);

interface Cached {
  readonly changed: number;
  readonly content: Promise<unknown>;
}

/** What the folders hold, which is a few megabytes and as much as builds of a running process make of it. */
const cache = new Map<string, Cached>();

/**
 * What is made of a path, until that changes. Reading a file takes a thread of Node.js, of which there are four, and SQLite needs
 * them too: whoever asks for files all the time would hold up everybody else. A look at its time is synchronous, and takes 2 µs.
 */
function cached<Content>(path: string, make: (path: string) => Promise<Content>): Promise<Content> {
  const { mtimeMs: changed } = statSync(path);
  const known = cache.get(path);
  // A path is always read in the same way.
  if (known?.changed === changed) return known.content as Promise<Content>;
  const content = make(path);
  cache.set(path, { changed, content });
  content.catch(() => cache.delete(path));
  return content;
}

/** A build may replace the folder at any time. */
function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
