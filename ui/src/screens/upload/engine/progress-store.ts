import { StoredText } from '../../../observable/stored-text.ts';

/** How far the upload of a file has come; nothing of its content. */
export interface StoredProgress {
  readonly fingerprint: string;
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  /** Bytes of the file. */
  readonly position: number;
  /** All statements up to this one are stored or have failed. */
  readonly settled: number;
  /** Those of them that have failed, the first ones at least. */
  readonly failed: readonly number[];
}

const kept = new StoredText('uploads');
const mostFiles = 10;
const mostFailed = 10_000;

/** Unfinished uploads of this browser, the newest first. */
export function unfinishedUploads(): readonly StoredProgress[] {
  try {
    const all: unknown = JSON.parse(kept.get() ?? '[]');
    return Array.isArray(all) ? all.filter(isProgress) : [];
  } catch {
    return [];
  }
}

export function keepProgress(progress: StoredProgress): void {
  const others = unfinishedUploads().filter(({ fingerprint }) => fingerprint !== progress.fingerprint);
  const short = { ...progress, failed: progress.failed.slice(0, mostFailed) };
  keep([short, ...others].slice(0, mostFiles));
}

export function forgetProgress(fingerprint: string): void {
  keep(unfinishedUploads().filter((each) => each.fingerprint !== fingerprint));
}

/** Where a file has no room any more the upload goes on all the same. */
function keep(all: readonly StoredProgress[]): void {
  try {
    kept.set(JSON.stringify(all));
  } catch {
    kept.set(undefined);
  }
}

function isProgress(value: unknown): value is StoredProgress {
  return typeof value === 'object' && value !== null && 'fingerprint' in value && 'settled' in value;
}
