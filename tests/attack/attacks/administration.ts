import { list, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';
import { administer, type Call, storeSome } from './administrator.ts';

const searches = ['%', '_', '%25%25%25', '%_%_%_%', '\\', `${'%a'.repeat(90)}`, 'zzzz', "'--", '\u0000'];

/** Bodies of up to so many bytes. */
function largeBodies(bytes: number): Call[] {
  const many = (text: (index: number) => string): string => list(Math.floor(bytes / 12), text);
  const long = (letter: string): string => letter.repeat(bytes - 200);
  return [
    { method: 'POST', path: '/admin/creds', body: `{"scopes":[${many(() => '"all"')}]}` },
    { method: 'POST', path: '/admin/creds', body: `{"scopes":[${many((index) => `"s${index}"`)}]}` },
    { method: 'POST', path: '/admin/creds', body: `{"scopes":[${many(() => '{}')}]}` },
    { method: 'POST', path: '/admin/creds', body: `{"scopes":["all"],"label":"${long('l')}"}` },
    { method: 'PUT', path: '/admin/creds', body: `{"api-key":"${long('k')}","secret-key":"s","scopes":[]}` },
    { method: 'POST', path: '/admin/account/create', body: `{"username":"${long('u')}","password":"p"}` },
    { method: 'POST', path: '/admin/account/create', body: `{${many((index) => `"p${index}":1`)}}` },
    { method: 'DELETE', path: '/admin/agents', body: `{"actor-ifi":"account::${long('@')}"}` },
    { method: 'DELETE', path: '/admin/account', body: `{"account-id":${long('[')}` },
    {
      method: 'PUT',
      path: '/admin/account/password',
      body: `{"old-password":"${long('o')}","new-password":"n"}`,
    },
    { method: 'POST', path: '/admin/account/login', body: `{"username":"u","password":"${long('p')}"}` },
    { method: 'POST', path: '/admin/account/login', body: '[{"__proto__":1}]' },
  ];
}

/** As large as a request may be, and as a request to the administration may be (`maxAdminBodyBytes`). */
const hugeBodies: readonly Call[] = [...largeBodies(9_900_000), ...largeBodies(65_000)];

/** An account, a key pair or the list of key pairs. */
function creation(_: unknown, index: number): Call {
  if (index % 4 === 1) return { path: '/admin/creds' };
  if (index % 4 !== 0) return { method: 'POST', path: '/admin/creds', body: '{"scopes":["all"]}' };
  const body = `{"username":"account${index}","password":"Str0ng_password${index}!"}`;
  return { method: 'POST', path: '/admin/account/create', body };
}

/** Changes of accounts, passwords and key pairs that are mostly refused, and what lists them. */
const accountCalls: readonly Call[] = [
  { path: '/admin/account' },
  { path: '/admin/account/renew' },
  { path: '/admin/me' },
  { path: '/admin/verify' },
  { path: '/admin/csv/auth' },
  {
    method: 'PUT',
    path: '/admin/account/password',
    body: '{"old-password":"Wrong_pass1!","new-password":"Other_pass1!"}',
  },
  { method: 'DELETE', path: '/admin/account', body: '{"account-id":"00000000-0000-4000-8000-000000000000"}' },
  { method: 'DELETE', path: '/admin/account', body: '{"account-id":"\\u0000"}' },
  {
    method: 'POST',
    path: '/admin/account/create',
    body: '{"username":"\\ud800admin","password":"Aa1!Aa1!Aa1!"}',
  },
  { method: 'PUT', path: '/admin/creds', body: '{"api-key":"key","secret-key":"wrong","scopes":["all"]}' },
  { method: 'DELETE', path: '/admin/creds', body: '{"api-key":"key","secret-key":"wrong"}' },
];

/** Creates key pairs and now and then lists them all. */
const keyPairs = (_: unknown, index: number): Call =>
  index % 250 === 249
    ? { path: '/admin/creds' }
    : { method: 'POST', path: '/admin/creds', body: `{"scopes":["all"],"label":"${'l'.repeat(200)}"}` };

const agentsAsked = [
  '{"mbox":"mailto:l1@x.org"}',
  `{"mbox":"mailto:${'a'.repeat(40_000)}@x.org"}`,
  `{"account":{"homePage":"http://x.org","name":"${'%'.repeat(10_000)}"}}`,
].map(encodeURIComponent);

/** Pages of the audit trail, by filters that find much, little and nothing, and by cursors that nobody has given. */
const auditPages: readonly Call[] = [
  'limit=1000',
  'limit=1000&kind=change',
  'limit=1000&kind=disclosure&username=opsadmin',
  `limit=1000&username=${'u'.repeat(255)}`,
  `username=${'u'.repeat(50_000)}`,
  'limit=1000&from=9007199254740991-00000000-0000-4000-8000-000000000000',
  'limit=1000&from=0000000000000001-00000000-0000-4000-8000-000000000000',
  `from=${'9'.repeat(50_000)}`,
  'kind=change&kind=change',
  ...agentsAsked.map((agent) => `limit=1000&agent=${agent}`),
].map((query) => ({ path: `/admin/audit?${query}` }));

/** Counts and lists with every filter that they take. */
const filteredLists: readonly Call[] = [
  'agents?role=actor&limit=1000&search=%25',
  'agents?role=actor&search=zzzzzz',
  'activities?role=object&limit=1000&search=_',
  'activities?role=object&search=zzzzzz',
  `agents?from=${'f'.repeat(32)}&limit=1000`,
  `activities?from=${'0'.repeat(32)}&limit=1000`,
  'documents?kind=state&limit=1000&search=%25',
  'documents?activityId=http%3A%2F%2Fx.org%2Fcourse%2F1%2F1',
  `documents?activityId=http%3A%2F%2Fx.org%2F${'a'.repeat(50_000)}`,
  ...agentsAsked.map((agent) => `documents?agent=${agent}&limit=1000`),
  ...['minute', 'hour', 'day', 'month'].map(
    (unit) =>
      `status?include=timeline&include=actor-count&include=verb-frequency&timeline-unit=${unit}&timeline-since=1970-01-01T00:00:00Z`,
  ),
].map((query) => ({ path: `/admin/${query}` }));

const many = 'mbox::mailto:many@x.org';

/** Identifiers of actors, and wishes for a dry run, that are no such thing. */
const oddErasures: readonly Call[] = [
  `{"actor-ifi":"${'mbox::'.repeat(10_000)}"}`,
  '{"actor-ifi":"mbox::mailto:%@x.org"}',
  '{"actor-ifi":"mbox::mailto:_____@x.org","dry-run":true}',
  '{"actor-ifi":"account::@"}',
  `{"actor-ifi":"account::${'n'.repeat(50_000)}@http://x.org"}`,
  '{"actor-ifi":"\\u0000"}',
  '{"actor-ifi":"openid::http://x.org/\\ud800","dry-run":true}',
  '{"actor-ifi":["mbox::mailto:a@x.org"]}',
  '{"actor-ifi":"mbox::mailto:a@x.org","dry-run":"true"}',
  '{"actor-ifi":{"__proto__":1}}',
].map((body) => ({ method: 'DELETE', path: '/admin/agents', body }));

/** 20,000 statements of one actor, each with a name of the actor that none other has. */
const storeOfOne = ({ client, amount, parallel }: Context): Promise<void> =>
  parallel(amount(40), 2, (batch) =>
    client.post(
      `[${list(500, (index) =>
        statementText({
          actor: `{"mbox":"mailto:many@x.org","name":"${'n'.repeat(100)}${batch}-${index}"}`,
          object: `{"id":"http://x.org/course/${index}"}`,
        }),
      )}]`,
    ),
  );

const million = 1_000_000;

/** The most frequent Verbs and Activities have ids, displays and names of a million characters. */
const storeLongNames = ({ client, amount, parallel }: Context): Promise<void> =>
  parallel(amount(24), 2, (index) => {
    const texts = `{"en":"${'n'.repeat(million)}${index}"}`;
    const [id, definition] = [`http://x.org/${'i'.repeat(million)}${index % 12}`, `{"name":${texts}}`];
    return client.post(
      statementText({
        verb: `{"id":"${id}","display":${texts}}`,
        object: `{"id":"${index < 12 ? id : `http://x.org/short/${index}`}","definition":${definition}}`,
      }),
    );
  });

/** Attacks on the administration by somebody who has an account. */
export const administrationAttacks: readonly Attack[] = [
  {
    name: 'huge-admin-bodies',
    area: 'administration',
    threat: 'bodies of 9.9 MB and of 65 kB to the administration: arrays, texts, properties, brackets',
    settings: { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' },
    run: (context) => administer(context, hugeBodies, 72),
  },
  {
    name: 'browse-patterns',
    area: 'administration',
    threat: 'lists of agents, activities and documents by patterns of % and _',
    prepare: storeSome,
    run: (context) =>
      administer(
        context,
        searches.flatMap((search) =>
          ['agents', 'activities', 'documents'].map((kind) => ({
            path: `/admin/${kind}?limit=1000&search=${encodeURIComponent(search)}`,
          })),
        ),
        270,
      ),
  },
  {
    name: 'status-and-descriptions',
    area: 'administration',
    threat: 'status of long timelines with thousands of `include`, OpenAPI, audit, settings',
    prepare: storeSome,
    run: (context) =>
      administer(
        context,
        [
          { path: `/admin/status?${'include=timeline&'.repeat(3_000)}` },
          { path: `/admin/status?${'include=x&'.repeat(5_500)}` },
          { path: '/admin/status?include=timeline&timeline-unit=minute&timeline-since=1970-01-01T00:00:00Z' },
          {
            path: '/admin/status?include=timeline&timeline-unit=second&timeline-since=1970-01-01T00:00:00Z&timeline-until=9999-01-01T00:00:00Z',
          },
          {
            path: '/admin/status?include=actor-count&include=platform-frequency&include=verb-frequency&include=activity-frequency',
          },
          { path: '/admin/openapi' },
          { path: '/admin/audit?limit=1000' },
          { path: '/admin/settings' },
          { path: '/admin/env' },
        ],
        400,
      ),
  },
  {
    name: 'long-frequencies',
    area: 'administration',
    threat: 'the most frequent Verbs and Activities, whose ids and names have a megabyte, by 16 clients',
    long: true,
    prepare: storeLongNames,
    run: async (context) => {
      const calls = ['verb-frequency', 'activity-frequency'].map((include) => ({
        path: `/admin/status?include=${include}`,
      }));
      await Promise.all([1, 2, 3, 4].map(() => administer(context, calls, 60)));
    },
  },
  {
    name: 'accounts-and-key-pairs',
    area: 'administration',
    threat: 'an administrator creates key pairs and accounts without end',
    run: (context) => administer(context, Array.from({ length: 200 }, creation), 200),
  },
  {
    name: 'erasure-storm',
    area: 'administration',
    threat: 'an administrator erases 60 actors at a time while statements of them arrive',
    settings: { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' },
    prepare: storeSome,
    run: async (context) => {
      const erase = Array.from({ length: 60 }, (_, index) => ({
        method: 'DELETE',
        path: '/admin/agents',
        body: `{"actor-ifi":"mbox::mailto:l${index}@x.org"}`,
      }));
      await Promise.all([
        administer(context, erase, 120),
        context.parallel(context.amount(200), 2, (index) =>
          context.client.post(statementText({ actor: `{"mbox":"mailto:l${index % 60}@x.org"}` })),
        ),
      ]);
    },
  },
  {
    name: 'erasure-of-many',
    area: 'administration',
    threat: 'an actor with 20,000 statements and names is counted four times at once and then erased',
    settings: { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' },
    prepare: storeOfOne,
    run: async (context) => {
      const call = (dryRun: boolean): Call => ({
        method: 'DELETE',
        path: '/admin/agents',
        body: `{"actor-ifi":"${many}","dry-run":${dryRun}}`,
      });
      await administer(context, [call(true)], 12);
      await administer(context, [call(false), call(true)], 4);
    },
  },
  {
    name: 'odd-erasures',
    area: 'administration',
    threat: 'identifiers to erase that are patterns, 50 kB long, half a character or no text',
    settings: { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' },
    run: (context) => administer(context, oddErasures, 500),
  },
  {
    name: 'account-changes',
    area: 'administration',
    threat: 'wrong passwords, renewals, deletions and lists of an account, over and over',
    run: (context) => administer(context, accountCalls, 2_000),
  },
  {
    name: 'many-key-pairs',
    area: 'administration',
    threat: 'an account asks for 5,000 key pairs, of which the limit permits some, and lists them',
    run: (context) => administer(context, Array.from({ length: 5_000 }, keyPairs), 5_000),
  },
  {
    name: 'audit-pages',
    area: 'administration',
    threat: 'the audit trail by filters that find nothing and by cursors of nobody, behind 5,000 entries',
    settings: { LRS_AUDIT_MERGE_SECONDS: '0' },
    prepare: (context) => administer(context, [{ path: '/admin/creds' }], 5_000),
    run: (context) => administer(context, auditPages, 600),
  },
  {
    name: 'filtered-lists',
    area: 'administration',
    threat: 'counts of the status and lists of agents, activities and documents with every filter',
    prepare: storeSome,
    run: (context) => administer(context, filteredLists, 600),
  },
];
