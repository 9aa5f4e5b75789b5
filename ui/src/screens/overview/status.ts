import { queryOptions } from '@tanstack/react-query';
import type { Status, StatusMember, TimelineUnit } from '../../../../lib/status/types.ts';
import { callAdmin } from '../../api/client.ts';
import { serverNow } from '../../api/session.ts';
import { type Bucket, bucketsOf, type Range, sinceOf } from './timeline/buckets.ts';

type Told<Member extends StatusMember> = Required<Pick<Status, Member>>;

const members = [
  'statement-count',
  'voided-count',
  'actor-count',
  'activity-count',
  'last-statement-stored',
  'platform-frequency',
  'verb-frequency',
  'activity-frequency',
] as const;

export type StoreNumbers = Told<(typeof members)[number]>;

export const numbersQuery = queryOptions({
  queryKey: ['status', 'numbers'],
  queryFn: () => callAdmin<StoreNumbers>('status', { query: { include: members } }),
});

/** Statements that came in the last minute. */
export const rateQuery = queryOptions({
  queryKey: ['status', 'rate'],
  queryFn: async () => {
    const entries = await readTimeline('second', serverNow() - 60_000);
    return entries.reduce((sum, { count }) => sum + count, 0);
  },
});

/** Statements by the time when they were stored, empty times included. */
export function timelineQuery(range: Range, unit: TimelineUnit) {
  return queryOptions({
    queryKey: ['status', 'timeline', range, unit],
    queryFn: async (): Promise<readonly Bucket[]> => {
      const now = serverNow();
      return bucketsOf({ range, unit, now }, await readTimeline(unit, sinceOf({ range, unit, now })));
    },
  });
}

async function readTimeline(unit: TimelineUnit, since: number): Promise<Told<'timeline'>['timeline']> {
  const query = {
    include: 'timeline',
    'timeline-unit': unit,
    // The moment itself does not count, so the one before it is named.
    'timeline-since': new Date(Math.max(0, since - 1)).toISOString(),
  };
  return (await callAdmin<Told<'timeline'>>('status', { query })).timeline;
}
