import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredReaction } from '../../lib/reactions/store/reaction-rows.ts';
import type { Attachment, Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { batchOf, exact, statement } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const content = Buffer.from('the certificate');
const sha2 = createHash('sha256').update(content).digest('hex');
const described: Attachment = {
  usageType: iri('usage'),
  display: { en: 'certificate' },
  contentType: 'text/plain',
  length: content.length,
  sha2,
};
const linked: Attachment = { ...described, fileUrl: iri('certificate.txt') };
const planned: Statement['object'] = {
  objectType: 'SubStatement',
  actor: { objectType: 'Agent', mbox: 'mailto:ann@example.org' },
  verb: { id: iri('planned') },
  object: { objectType: 'Activity', id: iri('course') },
  attachments: [described],
};
const template = {
  actor: { $templatePath: ['a', 'actor'] },
  verb: { id: iri('certified') },
  object: { id: iri('course') },
};
const conditions = { a: { path: ['verb', 'id'], op: 'eq', val: iri('passed') } } as const;
const passed = (parts: Partial<Statement>): Statement =>
  statement({ id: randomUUID(), verb: { id: iri('passed') }, ...parts });

describe.each(engines)('attachments of statements that reactions generate on $name', (engine) => {
  let database: TestDatabase;
  let bench: ReactionBench;

  beforeEach(async () => {
    database = await engine.create();
    bench = new ReactionBench(database.db);
    await bench.ready();
  });

  afterEach(async () => {
    await bench.service.stop();
    await database.remove();
  });

  const react = (parts: object): Promise<StoredReaction> =>
    bench.react(randomUUID(), { identityPaths: [], conditions, template: { ...template, ...parts } });

  /** Stores a statement with the data of its attachment. */
  async function send(trigger: Statement): Promise<void> {
    const attachments = [{ sha2, contentType: 'text/plain', content }];
    await bench.service.store(batchOf([trigger], { attachments }));
    await bench.catchUp();
  }

  it.each<[string, unknown]>([
    ['the template has', [linked]],
    ['the template takes over from a statement', { $templatePath: ['a', 'attachments'] }],
  ])('are stored where they have a fileUrl, without data: %s them', async (_, attachments) => {
    const reaction = await react({ attachments });
    await send(passed({ attachments: [linked] }));
    const [made] = await bench.made(reaction);
    expect(made?.attachments).toEqual([linked]);
    const get = (id = '') => bench.service.get({ id, voided: false }, { ...exact, attachments: true });
    expect((await get(made?.id)).attachments).toEqual([]);
  });

  it.each<[string, Partial<Statement>, object, string]>([
    [
      'of a statement',
      { attachments: [linked, described] },
      { attachments: { $templatePath: ['a', 'attachments'] } },
      '$.template.attachments[1]',
    ],
    [
      'of a SubStatement',
      { object: planned },
      { object: { $templatePath: ['a', 'object'] } },
      '$.template.object.attachments[0]',
    ],
  ])('that have only data, %s, stop the reaction, and the others go on', async (_, parts, copied, place) => {
    const reaction = await react(copied);
    const other = await react({});
    await send(passed(parts));
    const { active, failed, error } = (await bench.store.find(reaction.id)) ?? {};
    expect({ active, failed, error }).toMatchObject({
      ...{ active: false, failed: 1 },
      error: {
        type: 'ReactionInvalidStatementError',
        message: expect.stringContaining(`${place} has no fileUrl`),
      },
    });
    expect(await bench.firings(reaction)).toEqual([]);
    expect(await bench.firings(other)).toHaveLength(1);
  });
});
