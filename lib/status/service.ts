import { foldAllChanges } from '../counts/tally-store.ts';
import { Gate } from '../db/gate.ts';
import type { ReplicaStatus } from '../db/replica-status.ts';
import type { Database, ReadSession } from '../db/types.ts';
import { selectStatus } from '../feed/status-reader.ts';
import { PositionClock, storedText } from '../position.ts';
import { selectTopActivities, selectTopVerbs } from './frequencies-reader.ts';
import { selectNewest, selectPlatforms, selectTimeline, selectTotal } from './reader.ts';
import type { Status, StatusMember, StatusQuery, StatusService } from './types.ts';

export interface StatusOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The kinds of consumers for which nothing works because a setting switches it off. */
  readonly switchedOff?: readonly string[];
}

const fourteenDays = 14 * 86_400_000_000;

/**
 * What the store holds, from counts that are kept while it is written: no answer reads the statements. Answers are made one at
 * a time, so that neither their memory nor the writes that bring counts up to date grow with the number of those who ask.
 */
export function createStatusService(
  db: Database,
  { now = Date.now, switchedOff = [] }: StatusOptions = {},
): StatusService {
  const making = new Gate();
  return {
    replicas: () => replicasOf(db),
    databaseServer: () => serverOf(db),
    status: (query) =>
      making.exclusive(async () => {
        await foldAllChanges(db);
        const replicas = query.members.includes('replicas') ? await replicasOf(db) : [];
        return db.read((session) =>
          statusOf(session, query, {
            now: now() * 1000,
            switchedOff,
            server: serverOf(db),
            replicas,
          }),
        );
      }),
  };
}

const replicasOf = async ({ replicas }: Database): Promise<readonly ReplicaStatus[]> =>
  (await replicas?.status()) ?? [];

const serverOf = ({ writeTarget }: Database): string | null => writeTarget?.host ?? null;

async function statusOf(
  session: ReadSession,
  query: StatusQuery,
  general: Pick<Asked, 'now' | 'switchedOff' | 'server' | 'replicas'>,
): Promise<Status> {
  const newest = await selectNewest(session);
  const status: Record<string, unknown> = {};
  for (const member of query.members) {
    status[member] = await members[member](session, { query, newest, ...general });
  }
  return status;
}

interface Asked {
  readonly query: StatusQuery;
  /** Position of the newest statement. */
  readonly newest: number | undefined;
  /** Microseconds since the epoch. */
  readonly now: number;
  readonly switchedOff: readonly string[];
  readonly server: string | null;
  readonly replicas: readonly ReplicaStatus[];
}

type Members = { readonly [M in StatusMember]: (session: ReadSession, asked: Asked) => Promise<Status[M]> };

const members: Members = {
  'statement-count': (session) => selectTotal(session, 'statements'),
  'actor-count': (session) => selectTotal(session, 'actors'),
  'platform-frequency': selectPlatforms,
  'last-statement-stored': async (_, { newest }) => (newest === undefined ? null : nanoseconds(newest)),
  timeline: (session, { query, newest = 0, now }) => {
    const until = query.until ?? Math.max(now, newest);
    return selectTimeline(session, query.unit, { since: query.since ?? now - fourteenDays, until });
  },
  'voided-count': (session) => selectTotal(session, 'voided'),
  'activity-count': (session) => selectTotal(session, 'activities'),
  'verb-frequency': selectTopVerbs,
  'activity-frequency': selectTopActivities,
  consumers: async (session, { switchedOff }) => {
    const consumers = await selectStatus(session, new PositionClock());
    return consumers.map((consumer) => ({
      ...consumer,
      state: switchedOff.includes(consumer.kind) ? 'off' : consumer.state,
      cursor: nanoseconds(consumer.cursor),
    }));
  },
  'database-server': async (_, { server }) => server,
  replicas: async (_, { replicas }) => replicas,
};

/** As in the timeline: with nine fraction digits. */
function nanoseconds(position: number): string {
  return `${storedText(position).slice(0, -1)}000Z`;
}
