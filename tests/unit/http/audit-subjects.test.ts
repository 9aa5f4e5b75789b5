import { describe, expect, it } from 'vitest';
import { accountHandlers } from '../../../functions/admin/account.ts';
import { erasureHandlers } from '../../../functions/admin/agents.ts';
import { credentialHandlers } from '../../../functions/admin/creds.ts';
import { reactionHandlers } from '../../../functions/admin/reactions.ts';
import { storeHandlers } from '../../../functions/admin/stores.ts';
import type { AuditedAct, AuditService } from '../../../lib/audit/types.ts';
import { UnavailableError } from '../../../lib/errors.ts';
import { callHandler } from '../../support/call-handler.ts';
import { bearer, standInLrs } from '../../support/stand-in-lrs.ts';

const begun: AuditedAct[] = [];
const audit: Pick<AuditService, 'begin'> = {
  begin: async (act) => {
    begun.push(act);
    throw new UnavailableError('Nothing is done in this test.');
  },
};
const open = standInLrs(
  { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true', LRS_ENABLE_REACTIONS: 'true', LRS_ENABLE_STORES: 'true' },
  { audit: audit as AuditService },
);
const handlers = {
  ...accountHandlers(open),
  ...erasureHandlers(open),
  ...credentialHandlers(open),
  ...reactionHandlers(open),
  ...storeHandlers(open),
};
const id = 'b6c8f6a0-6d7e-4a36-9d53-6f1b8a1c2d3e';
const pair = { 'api-key': 'key', 'secret-key': 'secret' };

async function entryOf(name: keyof typeof handlers, path: string, body: object): Promise<AuditedAct> {
  begun.length = 0;
  const headers = { authorization: bearer, 'content-type': 'application/json' };
  await callHandler(handlers[name], { method: 'POST', path, headers, body: JSON.stringify(body) });
  const [act] = begun;
  if (act === undefined) throw new Error('nothing was begun');
  return act;
}

describe('the entry of the audit trail that is written before a change', () => {
  it.each([
    ['updateCredential', '/admin/creds', { ...pair, label: null, scopes: ['all'] }, 'key'],
    ['deleteCredential', '/admin/creds', pair, 'key'],
    ['deleteAccount', '/admin/account', { 'account-id': id }, id],
    ['resetPassword', '/admin/account/reset-password', { 'account-id': id, 'new-password': 'x' }, id],
    ['updateReaction', '/admin/reaction', { reactionId: id, active: false }, id],
    ['deleteReaction', '/admin/reaction', { reactionId: id }, id],
    ['replayReaction', '/admin/reaction/replay', { reactionId: id, from: '2024-01-01T00:00:00Z' }, id],
    ['createStore', '/admin/stores', { name: 'school' }, 'school'],
    ['changeStore', '/admin/stores/school', { state: 'closed' }, 'school'],
    ['deleteStore', '/admin/stores/school', { name: 'school' }, 'school'],
  ] as const)('by %s says what it is about', async (name, path, body, subject) => {
    expect((await entryOf(name, path, body)).subject).toBe(subject);
  });

  it('by deleteActor says whom it is about, unless the request is going to be refused', async () => {
    const path = '/admin/agents';
    const { agent } = await entryOf('deleteActor', path, { 'actor-ifi': 'mbox::mailto:ann@example.org' });
    expect(agent).toBe('mbox::mailto:ann@example.org');
    expect((await entryOf('deleteActor', path, { 'actor-ifi': 'ann' })).agent).toBeUndefined();
  });

  it.each(['\ud800', 5])('leaves out what is no text for a database: %j', async (key) => {
    const { subject } = await entryOf('deleteCredential', '/admin/creds', { ...pair, 'api-key': key });
    expect(subject).toBeUndefined();
  });
});
