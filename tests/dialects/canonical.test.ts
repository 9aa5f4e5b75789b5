import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Presentation, StatementService } from '../../lib/statements/types.ts';
import type { ActivityDefinition, Statement } from '../../lib/xapi/types.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, everything, exact, serviceOn, statement, walk } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/activities/${name}`;
const inFrench: Presentation = { ...exact, format: 'canonical', languages: ['fr'] };

const about = (name: string, definition?: ActivityDefinition, parts: Partial<Statement> = {}): Statement =>
  statement({
    object: { objectType: 'Activity', id: iri(name), ...(definition && { definition }) },
    ...parts,
  });

/** A definition of so many characters that says which Activity it is of. */
const longDefinition = (name: string, length: number): ActivityDefinition => ({
  name: { en: name },
  extensions: { 'https://example.org/padding': 'x'.repeat(length) },
});

const definitionOf = (text: string | undefined): ActivityDefinition | undefined =>
  JSON.parse(text ?? '{}').object.definition;

describe.each(engines)('the format canonical on $name', (engine) => {
  let database: TestDatabase;
  let counted: CountingDatabase;
  let service: StatementService;

  beforeEach(async () => {
    database = await engine.create();
    counted = new CountingDatabase(database.db);
    service = serviceOn(counted);
  });
  afterEach(() => database.remove());

  const canonical = async (id: string, presentation = inFrench): Promise<Statement> => {
    const page = await service.get({ id, voided: false }, presentation);
    return JSON.parse(page.statements[0]?.text ?? '');
  };

  it('has the definition merged from all statements, in statements of any age and in those that have none', async () => {
    const ids = await service.store(
      batchOf([
        about('a', { name: { en: 'Old', fr: 'Ancien' }, type: iri('type') }),
        about('a'),
        about('a', { name: { en: 'New' }, description: { de: 'Text' } }),
        about('unknown'),
      ]),
    );
    const merged = { name: { fr: 'Ancien' }, type: iri('type'), description: { de: 'Text' } };
    const found = await Promise.all(ids.map((id) => canonical(id)));
    expect(found.map(({ object }) => object)).toEqual([
      ...[0, 1, 2].map(() => ({ objectType: 'Activity', id: iri('a'), definition: merged })),
      { objectType: 'Activity', id: iri('unknown') },
    ]);
    const inGerman = { ...inFrench, languages: ['de', 'en'] };
    expect(await canonical(ids[0] ?? '', inGerman)).toHaveProperty('object.definition.name', { en: 'New' });
    expect(
      definitionOf((await service.get({ id: ids[1] ?? '', voided: false }, exact)).statements[0]?.text),
    ).toBe(undefined);
  });

  it('has it in every role of an Activity: Object, context and SubStatement', async () => {
    const merged = { name: { fr: 'Nom' } };
    const activity = (name: string) => ({ id: iri(name) });
    const context = {
      contextActivities: { parent: [activity('a')], other: [activity('b'), activity('none')] },
    };
    const [, , id = ''] = await service.store(
      batchOf([
        about('a', { name: { fr: 'Nom', en: 'Name' } }),
        about('b', { name: { fr: 'Nom', en: 'Name' } }),
        statement({
          object: {
            objectType: 'SubStatement',
            actor: agent('ann'),
            verb: { id: iri('verb') },
            object: { objectType: 'Activity', id: iri('a') },
            context,
          },
          context,
        }),
      ]),
    );
    const presented = {
      contextActivities: {
        parent: [{ id: iri('a'), definition: merged }],
        other: [{ id: iri('b'), definition: merged }, { id: iri('none') }],
      },
    };
    expect(await canonical(id)).toMatchObject({
      object: { object: { id: iri('a'), definition: merged }, context: presented },
      context: presented,
    });
  });

  it('has it on each page, whichever process has learnt it, and asks once for a page', async () => {
    await service.store(batchOf(Array.from({ length: 12 }, (_, index) => about(`a${index % 3}`))));
    const other = serviceOn(engine.shared ? await database.openAgain() : database.db);
    await other.store(
      batchOf(Array.from({ length: 3 }, (_, index) => about(`a${index}`, { name: { fr: `Nom ${index}` } }))),
    );
    for (const [each, ascending] of [
      [service, true],
      [other, false],
    ] as const) {
      const pages = await walk(each, { ascending, limit: 5 }, inFrench);
      expect(pages.map(({ statements }) => statements.length)).toEqual([5, 5, 5]);
      for (const { text } of pages.flatMap(({ statements }) => statements)) {
        const { object } = JSON.parse(text);
        expect(object.definition).toEqual({ name: { fr: object.id.replace(iri('a'), 'Nom ') } });
      }
    }
    const reads = async (presentation: Presentation): Promise<number> => {
      const before = counted.reads;
      await service.query({ ...everything, limit: 5 }, presentation);
      return counted.reads - before;
    };
    const plain = await reads(exact);
    expect([await reads({ ...exact, format: 'ids' }), await reads(inFrench)]).toEqual([plain, plain + 1]);
  });

  it('prints numbers as they came, in definitions too', async () => {
    const written = '{"extensions":{"https://example.org/n":[1.0,1e2,12345678901234567890]}}';
    const text = JSON.stringify(about('numbers', {})).replace('"definition":{}', `"definition":${written}`);
    const { parseStored } = await import('../../lib/xapi/statement/stored-statement.ts');
    await service.store({ ...batchOf([]), statements: [parseStored(text)] });
    const [id = ''] = await service.store(batchOf([about('numbers')]));
    const page = await service.get({ id, voided: false }, inFrench);
    expect(page.statements[0]?.text).toContain(`"definition":${written}`);
  });

  it('has definitions of any length', async () => {
    const names = ['short', 'long', 'longer'];
    const lengths = [10, 5_000, 300_000];
    const definitions = names.map((name, index) => longDefinition(name, lengths[index] ?? 0));
    await service.store(batchOf(names.map((name, index) => about(name, definitions[index]))));
    await service.store(batchOf([...names, ...names].map((name) => about(name))));
    const pages = await walk(service, {}, inFrench);
    const found = pages.flatMap(({ statements }) => statements.map(({ text }) => definitionOf(text)));
    const newestFirst = definitions.toReversed();
    expect(found).toEqual([...newestFirst, ...newestFirst, ...newestFirst]);
  });

  describe('bounds a page', () => {
    const pageBytes = 20_000;

    it('by the length of its definitions: it ends early, and `more` goes on', async () => {
      const small = serviceOn(database.db, { pageBytes });
      const names = ['a', 'b', 'c', 'd', 'e'];
      await service.store(batchOf(names.map((name) => about(name, longDefinition(name, 7_000)))));
      const ids = await service.store(batchOf([...names, ...names].map((name) => about(name))));
      for (const ascending of [true, false]) {
        const pages = await walk(small, { ascending }, inFrench);
        const texts = pages.flatMap(({ statements }) => statements.map(({ text }) => text));
        for (const { statements } of pages) {
          const bytes = statements.reduce((total, { text }) => total + text.length, 0);
          expect(bytes).toBeLessThanOrEqual(pageBytes);
          expect(statements.length).toBeGreaterThan(0);
        }
        expect(texts.map((text) => definitionOf(text)?.name?.en).sort()).toEqual(
          [...names, ...names, ...names].sort(),
        );
        expect(new Set(texts.map((text) => JSON.parse(text).id)).size).toBe(15);
        expect(texts.map((text) => JSON.parse(text).id)).toEqual(expect.arrayContaining(ids));
      }
    });

    it('of one statement: the last Activities keep the definitions that it has itself', async () => {
      const small = serviceOn(database.db, { pageBytes });
      const names = ['a', 'b', 'c', 'd'];
      await service.store(batchOf(names.map((name) => about(name, longDefinition(name, 7_000)))));
      const other = names.map((name) => ({ id: iri(name), definition: { name: { en: `own ${name}` } } }));
      const all = [...other, ...other];
      const sent = statement({ object: agent('ann'), context: { contextActivities: { other: all } } });
      const [id = ''] = await service.store(batchOf([sent]));
      const { statements } = await small.get({ id, voided: false }, inFrench);
      const text = statements[0]?.text ?? '';
      const found: { definition: ActivityDefinition }[] = JSON.parse(text).context.contextActivities.other;
      expect(text.length).toBeLessThan(pageBytes + JSON.stringify(sent).length);
      expect(found.map(({ definition }) => definition.extensions !== undefined)).toEqual([
        ...[true, true, false, false],
        ...[false, false, false, false],
      ]);
    });

    it('tells how large it becomes before it is large', async () => {
      await service.store(batchOf([about('a', longDefinition('a', 200_000))]));
      await service.store(batchOf(Array.from({ length: 5 }, () => about('a'))));
      const told: number[] = [];
      const presentation = { ...inFrench, reserve: (bytes: number) => told.push(bytes) };
      await service.query({ ...everything, limit: 5 }, presentation);
      expect(Math.max(...told)).toBeGreaterThan(1_000_000);
      const full = {
        ...inFrench,
        reserve: () => {
          throw new Error('no room');
        },
      };
      await expect(service.query({ ...everything, limit: 5 }, full)).rejects.toThrow('no room');
    });
  });
});
