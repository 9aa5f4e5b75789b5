import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { extended, extensionPath, iri, type ReactionClient } from '../../../support/reaction-client.ts';
import { agent, statement, voiding } from '../../../support/statements.ts';

const mbox = ['actor', 'mbox'];

export function matchingFacts(client: ReactionClient): void {
  const pair = () => ({ a: client.isAt('a'), b: client.isAt('b') });

  it('section 4.1: values at the identity paths group statements, and absent paths are ignored', async () => {
    const identityPaths = [mbox, ['actor', 'account', 'name']];
    const reaction = await client.react({ identityPaths, conditions: pair() });
    const account = { actor: { account: { homePage: iri('home'), name: 'ann' } } };
    const elsewhere = { actor: { account: { homePage: iri('elsewhere'), name: 'ann' } } };
    await client.post(
      client.at('a', { actor: agent('bob') }),
      client.at('a', account),
      client.at('a', elsewhere),
    );
    expect(await client.firings(reaction)).toEqual([]);
    await client.post(client.at('b', account));
    expect(await client.firings(reaction)).toHaveLength(2);
    await client.post(client.at('b', { actor: agent('bob') }));
    expect(await client.firings(reaction)).toHaveLength(3);
  });

  it('section 4.2: a trigger without any value at the identity paths matches nothing, unless there are no paths', async () => {
    const grouped = await client.react({ identityPaths: [['context', 'registration']], conditions: pair() });
    const free = await client.react({ identityPaths: [], conditions: pair() });
    await client.post(client.at('a', { actor: agent('ann') }), client.at('b', { actor: agent('bob') }));
    expect(await client.firings(grouped)).toEqual([]);
    expect(await client.firings(free)).toHaveLength(1);
  });

  it('section 4.3: a trigger that has an object or an array at an identity path is skipped', async () => {
    const reaction = await client.react({ identityPaths: [extensionPath, mbox] });
    await client.post(client.done(extended({ a: 1 })), client.done(extended([1])));
    expect(await client.firings(reaction)).toEqual([]);
    await client.post(client.done(extended(1)));
    expect(await client.firings(reaction)).toHaveLength(1);
  });

  it('section 4.4: every statement of a match has the same values as the trigger at all paths that are found', async () => {
    const identityPaths = [mbox, ['context', 'registration']];
    const reaction = await client.react({ identityPaths, conditions: pair() });
    const registration = randomUUID();
    const context = { registration };
    await client.post(client.at('a'), client.at('b', { context }));
    await client.post(client.at('b', { context: { registration: randomUUID() } }));
    expect(await client.firings(reaction)).toEqual([]);
    const [, a] = await client.post(
      client.at('a', { actor: agent('bob'), context }),
      client.at('a', { context }),
    );
    expect(await client.firings(reaction)).toMatchObject([{ matched: { a } }]);
  });

  it('section 4.5: each condition selects one stored statement, and all conditions hold together', async () => {
    const reaction = await client.react({
      conditions: {
        a: client.isAt('a'),
        b: client.isAt('b'),
        c: client.isDoneAnd({
          path: ['result', 'response'],
          op: 'eq',
          ref: { condition: 'b', path: ['id'] },
        }),
      },
    });
    const b = client.at('b');
    const [first] = await client.post(client.at('a'), client.at('c', { result: { response: b.id } }));
    expect(await client.firings(reaction)).toEqual([]);
    await client.post(client.at('b'));
    expect(await client.firings(reaction)).toEqual([]);
    await client.post(b);
    expect(await client.firings(reaction)).toMatchObject([{ matched: { a: first, b: b.id } }]);
  });

  it('section 4.6: the trigger is among the matched statements, and none of them is stored later', async () => {
    const reaction = await client.react({ identityPaths: [mbox], conditions: pair() });
    const [first, second, third] = await client.post(client.at('b'), client.at('a'), client.at('b'));
    const firings = await client.firings(reaction);
    expect(firings.map(({ triggerId, matched }) => [triggerId, matched])).toEqual([
      [second, { a: second, b: first }],
      [third, { a: second, b: third }],
    ]);
  });

  it('section 4.7: one statement may satisfy several conditions', async () => {
    const conditions = { a: client.isDone(), b: client.isAt('b') };
    const reaction = await client.react({ identityPaths: [mbox], conditions });
    const [id] = await client.post(client.at('b'));
    expect(await client.firings(reaction)).toMatchObject([{ matched: { a: id, b: id } }]);
  });

  it('section 4.8: voided statements do not match, and statements that void others do', async () => {
    const reaction = await client.react({ conditions: pair() });
    const refersToA = { path: ['object', 'id'], op: 'eq', ref: { condition: 'a', path: ['id'] } };
    const ofVoiding = await client.react({
      conditions: { a: client.isAt('kept'), b: refersToA },
      template: client.template({ object: { $templatePath: ['b', 'object'] } }),
    });
    const isVoiding = client.isAt('marked');
    const byVerb = await client.react({
      conditions: { a: isVoiding, b: { path: ['verb', 'id'], op: 'eq', val: voiding('').verb.id } },
    });
    const [a = '', kept = ''] = await client.post(client.at('a'), client.at('kept'), client.at('marked'));
    const [voids] = await client.post(voiding(a));
    expect(await client.firings(byVerb)).toMatchObject([{ triggerId: voids, matched: { b: voids } }]);
    await client.post(client.at('b'));
    expect(await client.firings(reaction)).toEqual([]);
    await client.post(statement({ object: { objectType: 'StatementRef', id: kept } }));
    expect(await client.generated(ofVoiding)).toMatchObject([{ object: { id: kept } }]);
  });

  it('section 4.9: each combination of statements generates one statement', async () => {
    const conditions = { ...pair(), c: client.isAt('c') };
    const reaction = await client.react({ identityPaths: [mbox], conditions });
    const [a1, a2, b1, b2, b3, c] = await client.post(
      ...['a', 'a', 'b', 'b', 'b', 'c'].map((activity) => client.at(activity)),
    );
    const firings = await client.firings(reaction);
    const expected = [a1, a2].flatMap((a) => [b1, b2, b3].map((b) => ({ a, b, c })));
    expect(firings.map(({ matched }) => matched)).toEqual(expect.arrayContaining(expected));
    expect(firings.map(({ triggerId }) => triggerId)).toEqual(expected.map(() => c));
    expect(new Set(firings.map(({ statementId }) => statementId)).size).toBe(6);
  });
}
