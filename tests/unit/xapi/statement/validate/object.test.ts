import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../lib/json/types.ts';
import { altered } from '../../../../support/altered.ts';
import { smallStatement } from '../../../../support/full-statement.ts';
import { problems, versions } from '../../../../support/problems.ts';

const id = '6690e6c9-3ef0-4ed3-8b37-7f3964730bee';
const subStatement = { ...Object(smallStatement), objectType: 'SubStatement' };

describe.each(versions)('an object under %s', (version) => {
  const problemsOf = (object: Json) => problems(altered(smallStatement, 'object', object), version);

  it.each<[string, Json]>([
    ['an Activity without objectType', { id: 'a:b' }],
    ['an Activity', { objectType: 'Activity', id: 'a:b', definition: {} }],
    ['a Statement Reference', { objectType: 'StatementRef', id }],
    ['a SubStatement', subStatement],
    ['a SubStatement in the future', { ...subStatement, timestamp: '2999-01-01T00:00:00Z' }],
    [
      'a SubStatement about a Statement Reference',
      { ...subStatement, object: { objectType: 'StatementRef', id } },
    ],
  ])('may be %s (xAPI 1.0.3 Data 2.4.4)', (_, object) => {
    expect(problemsOf(object)).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['text', 'a:b', ''],
    ['an array', [], ''],
    ['of an unknown type', { objectType: 'Course', id: 'a:b' }, '.objectType'],
    ['of a type in lower case', { objectType: 'activity', id: 'a:b' }, '.objectType'],
    ['of a type that objects inherit', { objectType: 'constructor', id: 'a:b' }, '.objectType'],
    ['an Activity without id', { objectType: 'Activity' }, '.id'],
    ['an Activity whose id has no scheme', { id: 'example.org/book' }, '.id'],
    ['an Activity with a name outside the definition', { id: 'a:b', name: { en: 'x' } }, '.name'],
    ['a Statement Reference without id', { objectType: 'StatementRef' }, '.id'],
    ['a Statement Reference whose id is no UUID', { objectType: 'StatementRef', id: 'a:b' }, '.id'],
    ['a Statement Reference with more', { objectType: 'StatementRef', id, definition: {} }, '.definition'],
    ['a SubStatement without actor', altered(subStatement, 'actor'), '.actor'],
    ['a SubStatement without verb', altered(subStatement, 'verb'), '.verb'],
    ['a SubStatement without object', altered(subStatement, 'object'), '.object'],
    ['a SubStatement with id', { ...subStatement, id }, '.id'],
    ['a SubStatement with stored', { ...subStatement, stored: '2013-05-18T05:32:34Z' }, '.stored'],
    ['a SubStatement with version', { ...subStatement, version: '1.0.0' }, '.version'],
    ['a SubStatement with authority', { ...subStatement, authority: { mbox: 'mailto:a@b' } }, '.authority'],
    ['a SubStatement in a SubStatement', { ...subStatement, object: subStatement }, '.object.objectType'],
  ])('must not be %s (xAPI 1.0.3 Data 2.4.4)', (_, object, below) => {
    expect(problemsOf(object)).toMatchObject([{ path: `statement.object${below}` }]);
  });

  it('must be a Statement Reference with the verb "voided" (xAPI 1.0.3 Data 2.3.2)', () => {
    const voiding = altered(smallStatement, 'verb.id', 'http://adlnet.gov/expapi/verbs/voided');
    expect(problems(altered(voiding, 'object', { objectType: 'StatementRef', id }), version)).toEqual([]);
    expect(problemsOf({ id: 'a:b' })).toEqual([]);
    expect(problems(voiding, version)).toMatchObject([
      {
        path: 'statement.object.objectType',
        section: version === '1.0.3' ? 'xAPI 1.0.3 Data 2.3.2' : 'xAPI 2.0.0 4.2.5',
      },
    ]);
  });

  it('must be an Activity where the context has revision or platform (xAPI 1.0.3 Data 2.4.6)', () => {
    const context = { revision: '1', platform: 'LMS' };
    const about = (object: Json) =>
      problems(altered(altered(smallStatement, 'context', context), 'object', object), version);
    expect(about({ id: 'a:b' })).toEqual([]);
    expect(about({ objectType: 'Activity', id: 'a:b' })).toEqual([]);
    expect(about({ ...subStatement, context })).toMatchObject([
      { path: 'statement.context.revision' },
      { path: 'statement.context.platform' },
    ]);
    expect(about({ ...subStatement, context, object: { objectType: 'StatementRef', id } })).toHaveLength(4);
  });
});

describe.each(versions)('an Activity definition under %s', (version) => {
  const problemsOfDefinition = (definition: Json) =>
    problems(altered(smallStatement, 'object', { id: 'a:b', definition }), version);
  const components = [{ id: 'a' }, { id: 'b', description: { en: 'B' } }];

  const interactions: [string, string[]][] = [
    ['true-false', []],
    ['choice', ['choices']],
    ['fill-in', []],
    ['long-fill-in', []],
    ['matching', ['source', 'target']],
    ['performance', ['steps']],
    ['sequencing', ['choices']],
    ['likert', ['scale']],
    ['numeric', []],
    ['other', []],
  ];

  it.each(interactions)(
    'of a %s interaction may have the lists %j and no other (xAPI 1.0.3 Data 2.4.4.1)',
    (interactionType, lists) => {
      for (const list of ['choices', 'scale', 'source', 'target', 'steps']) {
        const expected = lists.includes(list) ? [] : [{ path: `statement.object.definition.${list}` }];
        expect(problemsOfDefinition({ interactionType, [list]: components })).toMatchObject(expected);
      }
      expect(problemsOfDefinition({ interactionType, correctResponsesPattern: ['any[,]thing', ''] })).toEqual(
        [],
      );
    },
  );

  it.each<[string, Json]>([
    ['empty', {}],
    ['empty language maps', { name: {}, description: {} }],
    ['no correct response', { interactionType: 'choice', correctResponsesPattern: [], choices: [] }],
    ['a component id with blanks', { interactionType: 'choice', choices: [{ id: 'a b' }] }],
    [
      'the interaction type of Activity alone',
      { type: 'http://adlnet.gov/expapi/activities/cmi.interaction' },
    ],
    [
      'the same id in two lists',
      { interactionType: 'matching', source: [{ id: 'a' }], target: [{ id: 'a' }] },
    ],
  ])('may have %s', (_, definition) => {
    expect(problemsOfDefinition(definition)).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['text', 'a book', ''],
    ['a name that is text', { name: 'Book' }, '.name'],
    ['a language that is no tag', { name: { 'en US': 'Book' } }, '.name["en US"]'],
    ['a name that is a number', { name: { en: 5 } }, '.name.en'],
    ['a name that is null', { name: { en: null } }, '.name.en'],
    ['a type without scheme', { type: 'book' }, '.type'],
    ['an empty moreInfo', { moreInfo: '' }, '.moreInfo'],
    ['extensions that are an array', { extensions: [] }, '.extensions'],
    ['an extension without IRI', { extensions: { 'should fail': 1 } }, '.extensions["should fail"]'],
    ['an unknown interaction', { interactionType: 'drag' }, '.interactionType'],
    ['an interaction in upper case', { interactionType: 'Choice' }, '.interactionType'],
    ['a pattern without interactionType', { correctResponsesPattern: ['a'] }, '.interactionType'],
    ['choices without interactionType', { choices: [{ id: 'a' }] }, '.interactionType'],
    [
      'a pattern that is text',
      { interactionType: 'other', correctResponsesPattern: 'a' },
      '.correctResponsesPattern',
    ],
    [
      'a pattern of numbers',
      { interactionType: 'other', correctResponsesPattern: [1] },
      '.correctResponsesPattern[0]',
    ],
    ['choices that are an object', { interactionType: 'choice', choices: { id: 'a' } }, '.choices'],
    ['a choice that is text', { interactionType: 'choice', choices: ['a'] }, '.choices[0]'],
    ['a choice without id', { interactionType: 'choice', choices: [{ description: {} }] }, '.choices[0].id'],
    ['a choice with a numeric id', { interactionType: 'choice', choices: [{ id: 1 }] }, '.choices[0].id'],
    [
      'a description that is text',
      { interactionType: 'likert', scale: [{ id: '1', description: 'x' }] },
      '.scale[0].description',
    ],
    [
      'the same choice twice',
      { interactionType: 'choice', choices: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] },
      '.choices[2].id',
    ],
  ])('must not have %s', (_, definition, below) => {
    expect(problemsOfDefinition(definition)).toMatchObject([{ path: `statement.object.definition${below}` }]);
  });
});
