import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Statement } from '../../../../lib/xapi/types.ts';
import { keyPairHolder } from '../../../support/key-pair.ts';
import { iri, type ReactionClient } from '../../../support/reaction-client.ts';
import { agent } from '../../../support/statements.ts';

export function generatedFacts(client: ReactionClient): void {
  it('section 6.1: what the template makes must be a valid statement of reactionVersion', async () => {
    const contextAgents = [{ objectType: 'contextAgent', agent: agent('ann') }];
    const newer = await client.react({ template: client.template({ context: { contextAgents } }) });
    const broken = await client.react({ template: client.template({ verb: { id: 'no IRI' } }) });
    const [trigger = ''] = await client.post(client.done());
    expect(await client.reaction(newer)).toMatchObject({
      error: { type: 'ReactionInvalidStatementError', message: expect.stringContaining('contextAgents') },
    });
    expect(await client.reaction(broken)).toMatchObject({
      error: {
        type: 'ReactionInvalidStatementError',
        message: expect.stringContaining('$.template.verb.id'),
      },
    });
    expect(await client.links(trigger)).toMatchObject({ triggered: [] });
  });

  it('section 6.2: the authority is that of the template if it has one, else that of the trigger', async () => {
    const own = { account: { homePage: iri('home'), name: 'reactions' } };
    const other = await keyPairHolder(client.lrs);
    const plain = await client.react();
    const vouched = await client.react({ template: client.template({ authority: own }) });
    const [first = ''] = await client.post(client.done());
    const [second = ''] = await other.post(client.done());
    await client.lrs.settle();
    const [one, two] = [await client.statement(first), await client.statement(second)];
    expect(one.authority).not.toEqual(two.authority);
    const authorities = (await client.generated(plain)).map(({ authority }) => authority);
    expect(authorities).toEqual([one.authority, two.authority]);
    expect((await client.generated(vouched))[0]?.authority).toMatchObject(own);
  });

  it('section 6.3: the id is that of the template if it gives one, else one of its own', async () => {
    const id = randomUUID();
    const derived = await client.react();
    const fixed = await client.react({
      template: client.template({ id, result: { $templatePath: ['a', 'result'] } }),
    });
    const result = (response: string): Partial<Statement> => ({ result: { response } });
    await client.post(client.done(result('one')));
    await client.post(client.done(result('two')));
    expect((await client.generated(fixed)).map((generated) => [generated.id, generated.result])).toEqual([
      [id, { response: 'one' }],
    ]);
    const ids = (await client.firings(derived)).map(({ statementId }) => statementId);
    expect(new Set(ids).size).toBe(2);
    for (const each of ids) expect(each).toMatch(/^\w{8}-\w{4}-5\w{3}-[89ab]\w{3}-\w{12}$/);
  });

  it('section 6.4: timestamp, stored and version are as for a POST under reactionVersion', async () => {
    const timestamp = '2021-01-01T00:00:00Z';
    const reaction = await client.react();
    const dated = await client.react({
      template: client.template({ timestamp: { $templatePath: ['a', 'timestamp'] } }),
    });
    const [trigger = ''] = await client.post(client.done({ timestamp }));
    const [generated] = await client.generated(reaction);
    const { stored = '' } = await client.statement(trigger);
    expect(generated).toMatchObject({ version: '1.0.0', timestamp: generated?.stored });
    expect(String(generated?.stored) > stored).toBe(true);
    expect(await client.generated(dated)).toMatchObject([{ timestamp }]);
  });

  it('section 6.5: no credential is involved: the trigger may come from a key pair that can only write and is gone by then', async () => {
    const { lrs } = client;
    const token = await lrs.firstToken();
    const reaction = await client.react();
    const provider = await keyPairHolder(lrs, { scopes: ['statements/write'] });
    const [id] = await provider.post(client.done());
    expect((await lrs.call('DELETE', '/admin/creds', { token, body: provider.pair })).status).toBe(200);
    expect((await provider.xapi('POST', '/xapi/statements', { body: [client.done()] })).status).toBe(401);
    await lrs.settle();
    expect(await client.firings(reaction)).toMatchObject([{ triggerId: id }]);
  });
}
