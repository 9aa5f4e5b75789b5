import { firstRelease } from './0001-first-release.ts';
import { replayFailures } from './0002-replay-failures.ts';
import { indexWriteBuffer } from './0003-index-write-buffer.ts';
import { reactionRecords } from './0004-reaction-records.ts';
import { writeLock } from './0005-write-lock.ts';
import { stores } from './0006-stores.ts';
import { reactionFailures } from './0007-reaction-failures.ts';
import { replayRefusals } from './0008-replay-refusals.ts';
import { firingLookups } from './0009-firing-lookups.ts';
import type { Migration } from './migration.ts';

/** Every step of the schema, oldest first. Imported one by one, so that a bundle holds them too. */
export const migrations: readonly Migration[] = [
  firstRelease,
  replayFailures,
  indexWriteBuffer,
  reactionRecords,
  writeLock,
  stores,
  reactionFailures,
  replayRefusals,
  firingLookups,
];
