import type { AttachmentService } from '../attachments/types.ts';
import { foldAllChanges } from '../counts/tally-store.ts';
import type { Database } from '../db/types.ts';
import type { ErasureService } from '../erasure/types.ts';
import type { Feed } from '../feed/types.ts';
import { createStatementMaintenance } from '../statements/maintenance.ts';
import type { BackgroundTask } from './background.ts';

interface TaskServices {
  readonly erasure: Pick<ErasureService, 'resumeUntil'>;
  readonly feed: Pick<Feed, 'runUntil'>;
  readonly attachments: Pick<AttachmentService, 'removeUnused'> | undefined;
}

/** Seconds between two times that the engine looks after the index, which may take it long. */
const upkeepEvery = 3600;

/** What a long-running server does beside its requests, as tasks, those that requests notice most first. */
export function backgroundTasks(
  db: Database,
  { erasure, feed, attachments }: TaskServices,
): BackgroundTask[] {
  const { propagateReferences, mergeIndex, tendIndex } = createStatementMaintenance(db);
  return [
    { name: 'references', run: propagateReferences },
    { name: 'feed', run: (deadline) => feed.runUntil(deadline, { waits: true }) },
    { name: 'erasures', run: (deadline) => erasure.resumeUntil(deadline) },
    ...(attachments === undefined ? [] : [unusedAttachments(attachments)]),
    { name: 'statistics', run: (deadline) => foldAllChanges(db, deadline) },
    { name: 'index', run: () => done(mergeIndex()) },
    ...(tendIndex === undefined
      ? []
      : [{ name: 'index upkeep', every: upkeepEvery, run: () => done(tendIndex()) }]),
  ];
}

function unusedAttachments(attachments: Pick<AttachmentService, 'removeUnused'>): BackgroundTask {
  return { name: 'attachments', run: (deadline) => attachments.removeUnused(deadline) };
}

/** Leaves nothing for the next time. */
async function done(work: Promise<void>): Promise<true> {
  await work;
  return true;
}
