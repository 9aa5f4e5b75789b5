import { expect, it } from 'vitest';
import type { ReactionClient } from '../../../support/reaction-client.ts';

export function errorFacts(client: ReactionClient): void {
  const needsResult = () => client.template({ result: { $templatePath: ['a', 'result'] } });
  const result = { result: { success: true } };

  it('section 7.1: the first error stops its reaction and changes `modified`; the others go on', async () => {
    const reaction = await client.react({ template: needsResult() });
    const other = await client.react();
    const before = await client.reaction(reaction);
    await client.post(client.done(), client.done(result));
    const after = await client.reaction(reaction);
    expect(after).toMatchObject({ active: false, fired: 0, failed: 1, created: before.created });
    expect(after.error).toMatchObject({ type: expect.any(String), message: expect.stringMatching(/\S/) });
    expect(String(after.modified) > String(before.modified)).toBe(true);
    await client.post(client.done());
    expect(await client.firings(reaction)).toEqual([]);
    expect(await client.reaction(other)).toMatchObject({ active: true, error: null, fired: 3 });
  });

  it('section 7.2: a comparison that cannot be evaluated is a ReactionQueryError, which is recorded on every database', async () => {
    const ref = { condition: 'nowhere', path: ['id'] };
    const a = client.isDoneAnd({ path: ['id'], op: 'eq', ref });
    const reaction = await client.react({ conditions: { a } });
    await client.post(client.done());
    expect(await client.reaction(reaction)).toMatchObject({
      active: false,
      error: { type: 'ReactionQueryError', message: expect.stringContaining('"nowhere"') },
    });
  });

  it('section 7.3: a path of the template without a value is a ReactionTemplateError that names the path', async () => {
    const reaction = await client.react({ template: needsResult() });
    await client.post(client.done());
    expect(await client.reaction(reaction)).toMatchObject({
      active: false,
      error: {
        type: 'ReactionTemplateError',
        message: expect.stringMatching(/template\.result.*\["result"\]/),
      },
    });
  });

  it('section 7.4: a result that is no valid statement is a ReactionInvalidStatementError that tells what is wrong', async () => {
    const reaction = await client.react({ template: client.template({ object: { id: 7 } }) });
    await client.post(client.done());
    expect(await client.reaction(reaction)).toMatchObject({
      active: false,
      error: {
        type: 'ReactionInvalidStatementError',
        message: expect.stringContaining('$.template.object.id'),
      },
    });
  });

  it('section 7.5: what is good of the matches of one trigger is stored, although one of them fails', async () => {
    const conditions = { a: client.isAt('a'), b: client.isAt('b') };
    const reaction = await client.react({ conditions, template: needsResult() });
    const [first] = await client.post(client.at('a', result), client.at('a'), client.at('b'), client.at('b'));
    expect(await client.firings(reaction)).toMatchObject([{ matched: { a: first } }]);
    expect(await client.reaction(reaction)).toMatchObject({
      ...{ active: false, fired: 1, failed: 1 },
      error: { type: 'ReactionTemplateError' },
    });
  });

  it('section 7.6: a statement that cannot be stored because its id is taken does not stop the reaction', async () => {
    const [taken = ''] = await client.post(client.at('before'));
    const reaction = await client.react({ template: client.template({ id: taken }) });
    await client.post(client.done());
    expect(await client.reaction(reaction)).toMatchObject({ active: true, error: null, fired: 0, failed: 1 });
  });

  it('section 7.7: a new ruleset clears the error, and so does activating the reaction; a new title does not', async () => {
    const reaction = await client.react({ template: needsResult() });
    const change = (body: object) => client.routes.send('PUT', { reactionId: reaction, ...body });
    await client.post(client.done());
    await change({ title: `renamed ${reaction}` });
    expect(await client.reaction(reaction)).toMatchObject({
      active: false,
      error: { type: expect.any(String) },
    });
    await change({ active: true });
    expect(await client.reaction(reaction)).toMatchObject({ active: true, error: null });
    await client.post(client.done());
    expect(await client.reaction(reaction)).toMatchObject({ error: { type: expect.any(String) } });
    await change({ ruleset: client.ruleset() });
    expect(await client.reaction(reaction)).toMatchObject({ active: false, error: null });
    await change({ active: true });
    const [id] = await client.post(client.done());
    expect(await client.firings(reaction)).toMatchObject([{ triggerId: id }]);
  });
}
