import { isIri } from '../../../lib/xapi/iri.ts';
import type { Agent } from '../../../lib/xapi/types.ts';
import { callAdmin } from './client.ts';

/** How many rows, by the table that the server has them in. */
export type RowCounts = Readonly<Record<string, number>>;

interface Count {
  readonly rows: RowCounts;
}

/** What was removed, as the server tells it once it is done. */
export interface Erasure extends Count {
  readonly 'actor-ifi': string;
  readonly receipt: {
    /** The id of the entry in the audit trail. */
    readonly 'audit-event': string;
    readonly at: string;
    readonly username: string;
  };
}

/** The identifier as `DELETE /admin/agents` takes it; undefined when there is none, or when it would name somebody else. */
export function actorIfi({ mbox, mbox_sha1sum, openid, account }: Agent): string | undefined {
  if (mbox !== undefined) return `mbox::${mbox}`;
  if (mbox_sha1sum !== undefined) return `mbox_sha1sum::${mbox_sha1sum}`;
  if (openid !== undefined) return `openid::${openid}`;
  if (account === undefined || holdsAnother(account.homePage)) return undefined;
  return `account::${account.name}@${account.homePage}`;
}

/** The server takes what stands behind the last `@` for the home page if it can be one. */
function holdsAnother(homePage: string): boolean {
  return homePage.split('@').some((_, place, parts) => place > 0 && isIri(parts.slice(place).join('@')));
}

/** What an erasure would remove. */
export function countActor(ifi: string, signal: AbortSignal): Promise<Count> {
  return callAdmin('agents', { method: 'DELETE', json: { 'actor-ifi': ifi, 'dry-run': true }, signal });
}

/** Removes it, and answers when all of it is gone. */
export function eraseActor(ifi: string): Promise<Erasure> {
  return callAdmin('agents', { method: 'DELETE', json: { 'actor-ifi': ifi } });
}
