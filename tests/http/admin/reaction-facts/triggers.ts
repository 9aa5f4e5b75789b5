import { expect, it } from 'vitest';
import { keyPairHolder } from '../../../support/key-pair.ts';
import { iri, type ReactionClient } from '../../../support/reaction-client.ts';

export function triggerFacts(client: ReactionClient): void {
  it('section 3.1: every statement that is newly stored by POST, by PUT or by a reaction is a trigger; one that is sent again is none', async () => {
    const reaction = await client.react();
    const next = await client.react({
      conditions: { a: { path: ['verb', 'id'], op: 'eq', val: `${client.verb}-result` } },
      template: client.template({ verb: { id: `${client.verb}-next` } }),
    });
    const [posted, put, batch] = [client.done(), client.done(), client.done()];
    const putIt = () =>
      client.provider.xapi('PUT', '/xapi/statements', { query: `statementId=${put.id}`, body: put });
    await client.post(posted);
    expect((await putIt()).status).toBe(204);
    await client.post(posted, batch);
    expect((await putIt()).status).toBe(204);
    await client.lrs.settle();
    const firings = await client.firings(reaction);
    expect(firings.map(({ triggerId }) => triggerId)).toEqual([posted.id, put.id, batch.id]);
    expect((await client.firings(next)).map(({ triggerId }) => triggerId)).toEqual(
      firings.map(({ statementId }) => statementId),
    );
  });

  it('section 3.2: triggers are never dropped, however many wait and whatever reactionBufferSize is', async () => {
    const reaction = await client.react();
    await client.post(...Array.from({ length: 200 }, () => client.done()));
    expect(await client.reaction(reaction)).toMatchObject({ fired: 200, failed: 0 });
  });

  it('section 3.4: a statement that is stored while no reaction is active triggers none that is made active later', async () => {
    const reaction = await client.react();
    await client.routes.send('PUT', { reactionId: reaction, active: false });
    await client.post(client.done());
    await client.routes.send('PUT', { reactionId: reaction, active: true });
    const [id] = await client.post(client.done());
    expect(await client.firings(reaction)).toMatchObject([{ triggerId: id }]);
  });

  it('section 3.6: a reaction is skipped for triggers that it had a part in; other reactions are not', async () => {
    const again = { verb: { id: client.verb } };
    const own = await client.react({ template: client.template(again) });
    const other = await client.react({
      template: client.template({ ...again, object: { id: iri('other') } }),
    });
    const [id = ''] = await client.post(client.done());
    // Each fires for the statement and for what the other one made of it.
    for (const [reaction, preceding] of [[own, other] as const, [other, own] as const]) {
      const [first, second, ...rest] = await client.firings(reaction);
      const [before] = await client.firings(preceding);
      expect([first?.triggerId, second?.triggerId, rest]).toEqual([id, before?.statementId, []]);
    }
  });

  it('section 3.7: every new statement that completes a match generates again', async () => {
    const reaction = await client.react({
      identityPaths: [['actor', 'mbox']],
      conditions: { a: client.isAt('a'), b: client.isAt('b') },
    });
    await client.post(client.at('a'));
    await client.post(client.at('b'));
    await client.post(client.at('b'));
    expect(await client.firings(reaction)).toHaveLength(2);
  });

  it('section 11.1: the same combination of statements never generates twice, also when past statements are replayed', async () => {
    const reaction = await client.react({ conditions: { a: client.isAt('a'), b: client.isAt('b') } });
    await client.post(client.at('a'), client.at('b'));
    const before = await client.firings(reaction);
    const replay = { reactionId: reaction, from: '2020-01-01T00:00:00Z' };
    expect((await client.routes.send('POST', replay, '/replay')).status).toBe(200);
    await expect
      .poll(async () => {
        await client.lrs.settle();
        return client.routes.details(reaction);
      })
      .toMatchObject({ replay: { state: 'done' }, fired: 1 });
    expect(await client.firings(reaction)).toEqual(before);
  });

  it('section 3.8: a process with reactions switched off runs none; what it stores triggers reactions in one that has them', async () => {
    const reaction = await client.react();
    const off = await client.lrs.elsewhere({ LRS_ENABLE_REACTIONS: 'false' });
    const provider = await keyPairHolder(off);
    const [id] = await provider.post(client.done());
    expect((await off.call('GET', '/admin/reaction', { token: await off.firstToken() })).status).toBe(404);
    await expect
      .poll(async () => {
        await client.lrs.settle();
        return client.firings(reaction);
      })
      .toMatchObject([{ triggerId: id }]);
  });
}
