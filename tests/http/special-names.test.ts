import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations } from '../support/admin-client.ts';
import { type KeyPairHolder, keyPairHolder } from '../support/key-pair.ts';
import { parsed } from '../support/lrs-client.ts';
import { reactionRoutes, withReactions } from '../support/reactions.ts';
import { newIri, newStatement } from '../support/statement-client.ts';

/* Names that JavaScript gives objects a meaning for are ordinary names in JSON (RFC 8259). */

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

/** A JSON value with such names on every level. */
const special = fc.letrec<{ value: unknown; members: object }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom(1, 'text', false, null), tie('members')),
  members: fc
    .array(fc.tuple(fc.constantFrom(...names, 'ordinary'), tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
})).members;

/** One that has each of the names. */
const each = Object.fromEntries(
  names.map((name) => [name, Object.fromEntries([[name, { polluted: true }]])]),
);

const iri = 'https://example.org/extensions/any';
const extensions = (value: unknown) => ({ [iri]: value });

const statementWith = (value: unknown) =>
  newStatement({
    object: { id: newIri('activities'), definition: { extensions: extensions(value) } },
    result: { extensions: extensions(value) },
    context: {
      extensions: extensions([value]),
      contextActivities: {
        parent: [{ id: newIri('activities'), definition: { extensions: extensions(value) } }],
      },
    },
  });
type Sent = ReturnType<typeof statementWith>;

/** What a statement has at the places where the values were sent, as JSON. */
function valuesIn(statement: unknown, format = 'exact'): string[] {
  const { object, result, context } = statement as {
    object: { definition?: object };
    result: object;
    context: { contextActivities: { parent: object[] } };
  };
  const activities = format === 'ids' ? [] : [object.definition, context.contextActivities.parent[0]];
  return [result, context, ...activities].map((part) => JSON.stringify(part).replace(/http:[^"]*/, ''));
}

const sentValues = (statement: object, format?: string) =>
  valuesIn(JSON.parse(JSON.stringify(statement)), format).map((text) =>
    text.replace(/"contextActivities".*/, ''),
  );
const storedValues = (statement: unknown, format?: string) =>
  valuesIn(statement, format).map((text) => text.replace(/"contextActivities".*/, ''));

describe.each(administrations)('names that objects have a meaning for, on $name,', ({ open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  const before = Object.getOwnPropertyNames(Object.prototype);

  beforeAll(async () => {
    lrs = await open(withReactions);
    holder = await keyPairHolder(lrs);
  });
  afterAll(async () => {
    await lrs?.close();
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  const get = async (query: Record<string, string>) => {
    const answer = await holder.xapi('GET', '/xapi/statements', {
      query: new URLSearchParams(query).toString(),
    });
    expect([answer.status, answer.status === 200 ? '' : answer.body.toString()]).toEqual([200, '']);
    return answer;
  };
  const listed = async (query: Record<string, string>): Promise<unknown[]> =>
    (parsed(await get(query)) as { statements: unknown[] }).statements;

  it('come back in each format, alone and in pages, as they were sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(special, { minLength: 1, maxLength: 8 }), async (values) => {
        const verb = { id: newIri('verbs') };
        const sent: Sent[] = [each, ...values].map((value) => ({ ...statementWith(value), verb }));
        await holder.post(...sent);
        for (const format of ['exact', 'ids', 'canonical']) {
          const expected = sent.map((statement) => sentValues(statement, format));
          const page = await listed({ verb: verb.id, ascending: 'true', format });
          expect(page.map((statement) => storedValues(statement, format))).toEqual(expected);
          const one = parsed(await get({ statementId: sent[0]?.id ?? '', format }));
          expect(storedValues(one, format)).toEqual(expected[0]);
        }
        const multipart = (
          await get({ statementId: sent[0]?.id ?? '', attachments: 'true' })
        ).body.toString();
        expect(multipart).toContain(JSON.stringify(extensions(each)));
      }),
      { numRuns: 6 },
    );
  });

  it('distinguish statements', async () => {
    const [one, other] = [{ a: 1 }, { a: 2 }].map((value) => Object.fromEntries([['__proto__', value]]));
    const statement = statementWith(one);
    const put = (body: object) =>
      holder.xapi('PUT', '/xapi/statements', { query: `statementId=${statement.id}`, body });
    expect((await put(statement)).status).toBe(204);
    expect((await put(statement)).status).toBe(204);
    expect((await put({ ...statement, result: { extensions: extensions(other) } })).status).toBe(409);
  });

  it('are merged in the definitions of Activities', async () => {
    const id = newIri('activities');
    const parts = [{ 'https://example.org/a': each }, { 'https://example.org/b': [each] }, { [iri]: each }];
    for (const definition of parts.map((part) => ({ extensions: part }))) {
      await holder.post(newStatement({ object: { id, definition } }));
    }
    const answer = await holder.xapi('GET', '/xapi/activities', {
      query: new URLSearchParams({ activityId: id }).toString(),
    });
    const { definition } = parsed(answer) as { definition: { extensions: object } };
    expect(JSON.stringify(definition.extensions)).toBe(JSON.stringify(Object.assign({}, ...parts)));
  });

  it('come back in an export, whole and below a path', async () => {
    const statement = statementWith(each);
    await holder.post(statement);
    const paths = [
      ['result', 'extensions', iri],
      ['result', 'extensions', iri, '__proto__', '__proto__', 'polluted'],
      ['result', 'extensions', iri, 'constructor', 'name'],
    ];
    const query = new URLSearchParams({
      statementId: statement.id,
      'property-paths': JSON.stringify(paths),
    }).toString();
    const answer = await lrs.call('GET', '/admin/csv', { token: await lrs.firstToken(), query });
    const [, row] = answer.body.toString().split('\r\n');
    expect(row).toBe(`"${JSON.stringify(each).replaceAll('"', '""')}",true,`);
  });

  it.each([
    ['/xapi/activities/state', { activityId: iri, agent: '{"mbox":"mailto:ann@example.org"}', stateId: 's' }],
    ['/xapi/activities/profile', { activityId: iri, profileId: 'p' }],
    ['/xapi/agents/profile', { agent: '{"mbox":"mailto:ann@example.org"}', profileId: 'p' }],
  ])('are members of documents like others, for PUT, GET and the merging POST: %s', async (path, address) => {
    const query = new URLSearchParams(address).toString();
    const read = async () => (await holder.xapi('GET', path, { query })).body.toString();
    const send = async (method: string, document: object, headers = {}) => {
      const answer = await holder.xapi(method, path, { query, body: document, ...headers });
      expect([answer.status, answer.body.toString()]).toEqual([204, '']);
    };
    await fc.assert(
      fc.asyncProperty(
        special,
        fc.array(special, { maxLength: 3 }),
        fc.boolean(),
        async (first, others, isLarge) => {
          const padding = isLarge ? { padding: 'x'.repeat(40_000) } : {};
          const start = { ...padding, ...first };
          await holder.xapi('DELETE', path, { query });
          await send('POST', start);
          for (const other of others) await send('POST', other);
          const merged = new Map([start, ...others].flatMap((document) => Object.entries(document)));
          const document: object = JSON.parse(await read());
          expect(new Map(Object.entries(document))).toEqual(merged);
          expect(Object.keys(document)).toEqual([...merged.keys()]);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('are followed and made by reactions', async () => {
    const routes = reactionRoutes(lrs, await lrs.firstToken());
    const [verb, made] = [newIri('verbs'), newIri('verbs')];
    const conditions = Object.fromEntries([
      [
        '__proto__',
        {
          and: [
            { path: ['verb', 'id'], op: 'eq', val: verb },
            {
              path: ['result', 'extensions', iri, '__proto__', '__proto__', 'polluted'],
              op: 'eq',
              val: true,
            },
          ],
        },
      ],
    ]);
    const template = {
      actor: { $templatePath: ['__proto__', 'actor'] },
      verb: { id: made },
      object: { id: iri },
      result: {
        extensions: extensions({
          fixed: each,
          taken: { $templatePath: ['__proto__', 'result', 'extensions', iri] },
        }),
      },
    };
    const id = await routes.create({ ruleset: { identityPaths: [['actor', 'mbox']], conditions, template } });
    expect(JSON.stringify((await routes.listed(id))?.ruleset)).toBe(
      JSON.stringify({ identityPaths: [['actor', 'mbox']], conditions, template }),
    );
    await holder.post(newStatement({ verb: { id: verb }, result: { extensions: extensions(each) } }));
    await holder.post(newStatement({ verb: { id: verb }, result: { extensions: extensions({}) } }));
    await lrs.settle();
    const statements = (await listed({ verb: made })) as { result: { extensions: object } }[];
    expect(statements.map(({ result }) => JSON.stringify(result.extensions))).toEqual([
      JSON.stringify(extensions({ fixed: each, taken: each })),
    ]);
    expect((await routes.send('DELETE', { reactionId: id })).status).toBe(200);
  });

  it.each([
    ['an extension key that is no IRI', (part: object) => newStatement({ result: { extensions: part } })],
    ['a language tag', (part: object) => newStatement({ verb: { id: iri, display: part } })],
    ['a property of a statement', (part: object) => ({ ...newStatement(), ...part })],
    [
      'a property of an Agent',
      (part: object) => newStatement({ actor: { mbox: 'mailto:a@example.org', ...part } }),
    ],
    ['the only property of an Agent', (part: object) => newStatement({ actor: part })],
  ])('are refused where only certain names are allowed: %s', async (_, make) => {
    for (const name of names) {
      const part = Object.fromEntries([[name, { mbox: 'mailto:b@example.org' }]]);
      const answer = await holder.xapi('POST', '/xapi/statements', { body: make(part) });
      expect([name, answer.status]).toEqual([name, 400]);
      expect((parsed(answer) as { details: { path: string }[] }).details[0]?.path).toContain(name);
    }
  });

  it('stand for nothing else in requests to the administration', async () => {
    const members = { username: 'opsadmin', scopes: ['all'] };
    for (const name of names) {
      const body = Object.fromEntries([[name, members]]);
      const answer = await lrs.call('POST', '/admin/creds', { token: await lrs.firstToken(), body });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });
});
