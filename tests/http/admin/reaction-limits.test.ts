import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError } from '../../support/admin-client.ts';
import { parsed } from '../../support/lrs-client.ts';
import { newTitle, type ReactionRoutes, reactionRoutes, withReactions } from '../../support/reactions.ts';

const limits = {
  ...{ LRS_REACTION_MAX_STORED: '2', LRS_REACTION_MAX_ACTIVE: '1', LRS_REACTION_MAX_REPLAYS: '1' },
  ...withReactions,
};
const from = '2020-01-01T00:00:00Z';

describe.each(administrations)('what reactions may not exceed, on $name', ({ open }) => {
  let lrs: Administration;
  let token: string;
  let routes: ReactionRoutes;

  beforeAll(async () => {
    lrs = await open(limits);
    token = await lrs.firstToken();
    routes = reactionRoutes(lrs, token);
  });
  afterAll(() => lrs?.close());

  it('is told with the place and the rule', async () => {
    const id = await routes.create();
    const second = await routes.create({ active: false });
    const tooMany = await routes.send('PUT', { reactionId: second, active: true });
    expectError(tooMany, 400);
    expect(parsed(tooMany)).toMatchObject({ details: [{ path: 'active', rule: 'limit' }] });
    const inactive = await routes.send('POST', { reactionId: second, from }, '/replay');
    expectError(inactive, 400);
    expect(parsed(inactive)).toMatchObject({ details: [{ path: 'reactionId' }] });
    expectError(await routes.send('POST', { reactionId: randomUUID(), from }, '/replay'), 404);
    for (const reactionId of [id, second]) await routes.send('DELETE', { reactionId });
  });

  it('is in the audit trail with the title of the reaction, and as restored where it was deleted', async () => {
    const newest = async () =>
      parsed(await lrs.call('GET', '/admin/audit', { token, query: 'limit=1' })) as { events: object[] };
    const title = newTitle();
    const reactionId = await routes.create({ active: false, title });
    expect(await newest()).toMatchObject({
      events: [{ subject: reactionId, action: 'POST /admin/reaction', filters: { active: 'false', title } }],
    });
    await routes.send('DELETE', { reactionId });
    expect(await newest()).toMatchObject({ events: [{ subject: reactionId, filters: { title } }] });
    await routes.send('PUT', { reactionId, active: false });
    const changed = { changed: 'active', active: 'false', title };
    expect(Object((await newest()).events[0]).filters).toEqual({ ...changed, restored: 'true' });
    await routes.send('PUT', { reactionId, active: false });
    expect(Object((await newest()).events[0]).filters).toEqual(changed);
    await routes.send('DELETE', { reactionId });
  });

  it('is in the audit trail where a deletion removes reactions for ever', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const reactionId = await routes.create({ active: false });
      expect((await routes.send('DELETE', { reactionId })).status).toBe(200);
      ids.push(reactionId);
    }
    const trail = parsed(await lrs.call('GET', '/admin/audit', { token, query: 'limit=1' }));
    expect(trail).toMatchObject({ events: [{ subject: ids[3], filters: { purged: ids[1] } }] });
  });
});
