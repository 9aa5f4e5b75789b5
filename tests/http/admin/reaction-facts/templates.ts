import { expect, it } from 'vitest';
import type { Statement } from '../../../../lib/xapi/types.ts';
import { extended, extension, iri, type ReactionClient } from '../../../support/reaction-client.ts';
import { agent } from '../../../support/statements.ts';

export function templateFacts(client: ReactionClient): void {
  /** What a reaction with the template generates of the statement. */
  async function fill(template: object, posted: Statement): Promise<Statement | undefined> {
    const reaction = await client.react({ template });
    await client.post(posted);
    expect(await client.reaction(reaction)).toMatchObject({ error: null, fired: 1 });
    return (await client.generated(reaction))[0];
  }
  const from = (...path: readonly unknown[]) => ({ $templatePath: path });
  const inExtension = (...path: readonly unknown[]) => from('a', 'result', 'extensions', extension, ...path);

  it('section 5.1: an object whose first member is $templatePath becomes the value at the path in the statement of the condition', async () => {
    const reaction = await client.react({
      conditions: { a: client.isAt('a'), b: client.isAt('b') },
      template: client.template({ actor: from('a', 'actor'), object: { id: from('b', 'object', 'id') } }),
    });
    await client.post(client.at('a', { actor: agent('ann') }), client.at('b', { actor: agent('bob') }));
    expect(await client.generated(reaction)).toMatchObject([
      { actor: agent('ann'), object: { id: iri('b') } },
    ]);
    const second = await client.react({
      template: client.template({ actor: { name: 'x', ...from('a', 'actor') } }),
    });
    await client.post(client.done());
    expect(await client.reaction(second)).toMatchObject({ error: { type: 'ReactionInvalidStatementError' } });
  });

  it('section 5.2: the value may be an object, an array, a text, a number, true, false or null', async () => {
    const values = {
      object: { b: 1 },
      array: [1, { c: [] }],
      text: 'é',
      number: 1.5,
      yes: true,
      no: false,
      null: null,
    };
    const names = Object.keys(values);
    const extensions = Object.fromEntries(names.map((name) => [iri(name), inExtension(name)]));
    const generated = await fill(client.template({ result: { extensions } }), client.done(extended(values)));
    expect(generated?.result?.extensions).toEqual(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [iri(name), value])),
    );
  });

  it('section 5.3: a path without a value is an error that names the path; null is a value', async () => {
    const missing = await client.react({ template: client.template({ result: from('a', 'result') }) });
    const extensions = { [extension]: from('a', 'context', 'extensions', extension) };
    const isNull = await client.react({ template: client.template({ result: { extensions } }) });
    await client.post(client.done({ context: { extensions: { [extension]: null } } }));
    expect(await client.reaction(missing)).toMatchObject({
      ...{ active: false, fired: 0, failed: 1 },
      error: { type: 'ReactionTemplateError', message: expect.stringContaining('["result"]') },
    });
    expect(await client.generated(isNull)).toMatchObject([{ result: { extensions: { [extension]: null } } }]);
  });

  it('section 5.4: inner places are filled first, what stands beside $templatePath is discarded, and values are taken as they are', async () => {
    const posted = client.done({
      actor: agent('ann'),
      ...extended({ name: 'kept', kept: from('a', 'actor') }),
    });
    const extensions = { [extension]: inExtension(inExtension('name')) };
    const actor = { ...from('a', 'actor'), name: 'discarded' };
    const generated = await fill(client.template({ actor, result: { extensions } }), posted);
    expect(generated?.actor).toEqual(agent('ann'));
    expect(generated?.result?.extensions).toEqual({ [extension]: from('a', 'actor') });
  });

  it.each<[string, unknown]>([
    ['a text that is no time', 'x'],
    ['a value of a matched statement that it does not have', from('a', 'result', 'extensions', iri('none'))],
  ])('the value of stored in a template has no effect, also if it is %s', async (_, stored) => {
    const before = Date.now();
    const generated = await fill(client.template({ stored }), client.done());
    expect(Date.parse(generated?.stored ?? '')).toBeGreaterThan(before - 60_000);
  });

  it('section 5.5: an empty object in a template stays an empty object', async () => {
    const result = { extensions: { [extension]: {} } };
    expect((await fill(client.template({ result, context: {} }), client.done()))?.result).toEqual(result);
  });

  it('section 5.6: what the server has added to matched statements can be taken', async () => {
    const names = ['id', 'stored', 'timestamp', 'authority', 'version'];
    const extensions = Object.fromEntries(names.map((name) => [iri(name), from('a', name)]));
    const posted = client.done();
    const generated = await fill(client.template({ context: { extensions } }), posted);
    const stored = Object.entries(await client.statement(posted.id));
    expect(generated?.context?.extensions).toEqual(
      Object.fromEntries(
        stored.filter(([name]) => names.includes(name)).map(([name, value]) => [iri(name), value]),
      ),
    );
    expect(Object.keys(generated?.context?.extensions ?? {})).toHaveLength(names.length);
  });
}
