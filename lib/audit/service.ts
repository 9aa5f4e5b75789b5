import { randomUUID } from 'node:crypto';
import { findByUsername } from '../accounts/store.ts';
import type { AdminAccount } from '../accounts/types.ts';
import { GroupCommit, type GroupLimits } from '../db/group-commit.ts';
import { type Key, keyOf } from '../db/key.ts';
import type { Database, ReadSession, WriteSession } from '../db/types.ts';
import {
  completeEvent,
  deleteEvent,
  type EventRow,
  insertEvent,
  readEvents,
  selectShared,
  updateShared,
} from './store.ts';
import type {
  AuditCounts,
  AuditEventDetails,
  AuditedAct,
  AuditedEnd,
  AuditPage,
  AuditPlace,
  AuditQuery,
  AuditService,
  TriedName,
} from './types.ts';

const microseconds = 1_000_000;
/** The status of an event whose outcome is not known. */
const unknownOutcome = 0;

export interface AuditOptions {
  /** For how long, after the first of several equal events that may share a row, the others are added to it. */
  readonly mergeSeconds: number;
}

/** Some ten milliseconds in a transaction. */
const groupLimits: GroupLimits = { group: { entries: 50, size: 0 }, light: { entries: 1, size: 0 } };

/** What is written for a call. The writes of the last entry are left to the commit, because nothing follows that reads them. */
type Entry = (session: WriteSession, isLast: boolean) => Promise<void>;

/** The trail in the database. What is written for calls that run at the same time shares transactions: a flood of calls delays no other writes. */
export function createAuditService(db: Database, options: AuditOptions): AuditService {
  return new DatabaseAudit(db, options);
}

class DatabaseAudit implements AuditService {
  readonly #db: Database;
  readonly #mergeMicroseconds: number;
  readonly #commits: GroupCommit<Entry, void>;
  #latest = 0;

  constructor(db: Database, { mergeSeconds }: AuditOptions) {
    this.#db = db;
    this.#mergeMicroseconds = mergeSeconds * microseconds;
    this.#commits = new GroupCommit({
      write: (entries: readonly Entry[]) =>
        db.write((session) => writeAll(session, entries), { readsFirst: true }),
      weigh: () => ({ entries: 1, size: 0 }),
      limits: groupLimits,
    });
  }

  async begin(act: AuditedAct): Promise<AuditPlace> {
    const place = this.#place();
    const event = eventOf(place, act.account, { ...act, status: unknownOutcome });
    await this.#commits.submit((session, isLast) =>
      ending(session, insertEvent(session, { ...event, mergeKey: null }), isLast),
    );
    return place;
  }

  async finish(begun: AuditPlace, act: AuditedAct & AuditedEnd): Promise<void> {
    const event = eventOf(begun, act.account, act);
    await this.#commits.submit(async (session, isLast) => {
      const isAdded = await this.#addToEqual(session, event, isLast);
      await ending(session, isAdded ? deleteEvent(session, begun) : completeEvent(session, event), isLast);
    });
  }

  async record(act: AuditedAct & AuditedEnd & TriedName): Promise<AuditPlace> {
    const place = this.#place();
    await this.#commits.submit(async (session, isLast) => {
      const who = act.account ?? (await holderOf(session, act.triedName));
      const event = eventOf(place, who, act);
      const isAdded = await this.#addToEqual(session, event, isLast);
      if (!isAdded) await ending(session, insertEvent(session, event), isLast);
    });
    return place;
  }

  async query(query: AuditQuery): Promise<AuditPage> {
    const events = await this.#db.read((session) => readEvents(session, query));
    const page = events.slice(0, query.limit);
    return { events: page, next: events.length > query.limit ? page.at(-1) : undefined };
  }

  /** Adds the event to an equal one that is recent enough. @returns whether there is one. */
  async #addToEqual(session: WriteSession, event: EventRow, isLast: boolean): Promise<boolean> {
    const { mergeKey, at } = event;
    const shared = mergeKey && (await selectShared(session, mergeKey, at - this.#mergeMicroseconds));
    if (!shared) return false;
    const details = { ...shared.details, counts: sumOf(shared.details.counts, event.details.counts) };
    await ending(session, updateShared(session, { ...shared, details, times: shared.times + 1 }, at), isLast);
    return true;
  }

  /** Its time is another with each call, so that the events of one process keep their order. */
  #place(): AuditPlace {
    this.#latest = Math.max(this.#latest + 1, Date.now() * 1000);
    return { at: this.#latest, id: randomUUID() };
  }
}

async function writeAll(
  session: WriteSession,
  entries: readonly Entry[],
): Promise<readonly PromiseFulfilledResult<void>[]> {
  const last = entries.at(-1);
  for (const entry of entries) await entry(session, entry === last);
  return entries.map(() => ({ status: 'fulfilled', value: undefined }));
}

/** A write of an entry, on which no other one of the entry depends. */
async function ending(session: WriteSession, write: Promise<void>, isLast: boolean): Promise<void> {
  if (isLast) session.send(write);
  else await write;
}

async function holderOf(session: ReadSession, name: string | undefined): Promise<AdminAccount | undefined> {
  return name === undefined ? undefined : findByUsername(session, name);
}

function eventOf(
  place: AuditPlace,
  account: AdminAccount | undefined,
  act: Omit<AuditedAct, 'account'> & AuditedEnd,
): EventRow {
  const { kind, action, status } = act;
  const event = {
    ...place,
    accountId: account?.id ?? null,
    username: account?.username ?? null,
    ...{ kind, action, status },
    subject: act.subject ?? null,
    agentKey: act.agent === undefined ? null : keyOf(act.agent),
    keyPair: act.keyPair ?? null,
    client: act.client ?? null,
    details: detailsOf(act),
  };
  return { ...event, mergeKey: act.merges === true ? mergeKeyOf(event) : null };
}

function detailsOf({ filters, counts, interrupted, requestId }: AuditEventDetails): AuditEventDetails {
  return {
    ...(filters !== undefined && Object.keys(filters).length > 0 && { filters }),
    ...(counts !== undefined && { counts }),
    ...(interrupted === true && { interrupted }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** All that two events have in common when they may share a row. Whoever follows new statements moves `since` each time. */
function mergeKeyOf(event: Omit<EventRow, 'mergeKey'>): Key {
  const { accountId, action, subject, agentKey, keyPair, client, status, details } = event;
  const filters = { ...details.filters, since: undefined };
  return keyOf(JSON.stringify([accountId, action, subject, agentKey, keyPair, client, status, filters]));
}

function sumOf(one: AuditCounts = {}, other: AuditCounts = {}): AuditCounts {
  const sum: Record<string, number> = { ...one };
  for (const [name, amount] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
}
