import type { Migration } from '../lib/db/migrate.ts';
import { initial } from './0001-initial.ts';
import { administration } from './0002-administration.ts';
import { documents } from './0003-documents.ts';
import { agentsActivities } from './0004-agents-activities.ts';
import { accounts } from './0005-accounts.ts';
import { referenceAuthorities } from './0006-reference-authorities.ts';
import { exportsStatusErasure } from './0007-exports-status-erasure.ts';
import { reports } from './0008-reports.ts';
import { verbsActivities } from './0009-verbs-activities.ts';
import { directory } from './0010-directory.ts';
import { fingerprints } from './0011-fingerprints.ts';
import { quickKeys } from './0012-quick-keys.ts';
import { recentRows } from './0013-recent-rows.ts';
import { writeTurns } from './0014-write-turns.ts';
import { cacheEpochs } from './0015-cache-epochs.ts';
import { pendingReferences } from './0016-pending-references.ts';
import { auditDetails } from './0017-audit-details.ts';
import { batches } from './0018-batches.ts';
import { feed } from './0019-feed.ts';
import { reactions } from './0020-reactions.ts';
import { reactionReplays } from './0021-reaction-replays.ts';
import { background } from './0022-background.ts';
import { reactionGaps } from './0023-reaction-gaps.ts';
import { attachmentObjects } from './0024-attachment-objects.ts';
import { namesByTime } from './0025-names-by-time.ts';
import { attachmentUses } from './0026-attachment-uses.ts';
import { reactionChains } from './0027-reaction-chains.ts';
import { contentsSentAlong } from './0028-contents-sent-along.ts';
import { feedEvents } from './0029-feed-events.ts';

/** Every step of the schema, oldest first. Imported one by one, so that a bundle holds them too. */
export const migrations: readonly Migration[] = [
  initial,
  administration,
  documents,
  agentsActivities,
  accounts,
  referenceAuthorities,
  exportsStatusErasure,
  reports,
  verbsActivities,
  directory,
  fingerprints,
  quickKeys,
  recentRows,
  writeTurns,
  cacheEpochs,
  pendingReferences,
  auditDetails,
  batches,
  feed,
  reactions,
  reactionReplays,
  background,
  reactionGaps,
  attachmentObjects,
  namesByTime,
  attachmentUses,
  reactionChains,
  contentsSentAlong,
  feedEvents,
];
