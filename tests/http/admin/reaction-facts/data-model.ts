import { expect, it } from 'vitest';
import { selectMade, selectTriggered } from '../../../../lib/reactions/store/firing-rows.ts';
import { parsed } from '../../../support/lrs-client.ts';
import type { ReactionClient } from '../../../support/reaction-client.ts';

export function dataModelFacts(client: ReactionClient): void {
  it('section 1.8: a generated statement is linked with its reaction and its trigger, which its JSON does not tell', async () => {
    const reaction = await client.react();
    const [trigger = ''] = await client.post(client.done());
    const [firing] = await client.firings(reaction);
    const generated = firing?.statementId ?? '';
    const link = { statementId: generated, triggerId: trigger, matched: { a: trigger } };
    expect(await client.links(generated)).toMatchObject({
      triggered: [],
      triggeredBy: { ...link, reaction: { id: reaction } },
    });
    expect(await client.links(trigger)).toMatchObject({ triggered: [link], triggeredBy: null });
    expect(Object.keys(await client.statement(generated)).sort()).toEqual(
      ['actor', 'authority', 'id', 'object', 'stored', 'timestamp', 'verb', 'version'].sort(),
    );
    const inDatabase = { statementId: generated, reactionId: reaction, triggerId: trigger };
    const byTrigger = await client.db.read((session) =>
      selectTriggered(session, { triggerId: trigger, before: Number.MAX_SAFE_INTEGER, limit: 10 }),
    );
    expect(byTrigger).toMatchObject([inDatabase]);
    expect(await client.db.read((session) => selectMade(session, [generated, trigger]))).toEqual(byTrigger);
  });

  it('section 9.1: a deleted reaction generates nothing any more; its row, its title and the links to it stay', async () => {
    const reaction = await client.react();
    const { title } = await client.reaction(reaction);
    const [trigger = ''] = await client.post(client.done());
    await client.routes.send('DELETE', { reactionId: reaction });
    const [other = ''] = await client.post(client.done());
    expect(await client.links(other)).toEqual({ triggered: [], triggeredBy: null });
    const { triggered } = await client.links(trigger);
    expect(triggered).toMatchObject([{ reaction: { id: reaction, title, deleted: true } }]);
    const kept = await client.statement(triggered[0]?.statementId ?? '');
    expect(kept).toMatchObject({ verb: { id: `${client.verb}-result` } });
    expect(await client.routes.listed(reaction)).toBeUndefined();
    expect(parsed(await client.routes.send('DELETE', { reactionId: reaction }))).toEqual({
      reactionId: reaction,
    });
  });
}
