import { randomUUID } from 'node:crypto';
import { findByUsername } from '../accounts/store.ts';
import type { AdminAccount } from '../accounts/types.ts';
import type { Database, ReadSession } from '../db/types.ts';
import { insertEvent, readEvents } from './store.ts';
import type { AuditedAct, AuditPage, AuditQuery, AuditService } from './types.ts';

/** The trail in the database. */
export function createAuditService(db: Database): AuditService {
  return new DatabaseAudit(db);
}

class DatabaseAudit implements AuditService {
  readonly #db: Database;
  #latest = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  async record(act: AuditedAct): Promise<void> {
    const { account, triedName, action, status } = act;
    const event = { id: randomUUID(), at: this.#tick(), action, status };
    await this.#db.write(async (session) => {
      const who = account ?? (await holderOf(session, triedName));
      await insertEvent(session, {
        ...event,
        accountId: who?.id ?? null,
        username: who?.username ?? null,
        subject: act.subject ?? null,
        client: act.client ?? null,
      });
    });
  }

  async query(query: AuditQuery): Promise<AuditPage> {
    const events = await this.#db.read((session) => readEvents(session, query));
    const page = events.slice(0, query.limit);
    return { events: page, next: events.length > query.limit ? page.at(-1) : undefined };
  }

  /** Microseconds since the epoch, another with each call, so that the acts of one process keep their order. */
  #tick(): number {
    this.#latest = Math.max(this.#latest + 1, Date.now() * 1000);
    return this.#latest;
  }
}

async function holderOf(session: ReadSession, name: string | undefined): Promise<AdminAccount | undefined> {
  return name === undefined ? undefined : findByUsername(session, name);
}
