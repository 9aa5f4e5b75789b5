import { login } from '../login.ts';
import { jsonType, list, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';
import { account } from '../victim.ts';

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
}

/** Repeats calls in turn, with a login token. */
async function administer(context: Context, calls: readonly Call[], count: number): Promise<void> {
  const authorization = await login(context);
  await context.parallel(context.amount(count), 4, (index) => {
    const { method = 'GET', path, body } = calls[index % calls.length] ?? { path: '/admin/me' };
    return context.client.send({
      method,
      path,
      headers: { ...(body !== undefined && jsonType), Authorization: authorization },
      ...(body !== undefined && { body }),
    });
  });
}

async function storeSome({ client, amount, parallel }: Context): Promise<void> {
  await parallel(amount(40), 2, (batch) =>
    client.post(
      `[${list(500, (index) =>
        statementText({
          actor: `{"mbox":"mailto:l${index}@x.org","name":"Learner % ${index}"}`,
          verb: `{"id":"http://x.org/v${batch}"}`,
          object: `{"id":"http://x.org/course/${batch}/${index}","definition":{"name":{"en":"Course _ ${index}"}}}`,
        }),
      )}]`,
    ),
  );
}

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

async function exports(context: Context): Promise<void> {
  const steps = list(8_000, (index) => `["object","definition","${index}"]`).slice(0, 40_000);
  const paths = [
    `[${steps.slice(0, steps.lastIndexOf('],') + 1)}]`,
    `[[${list(9_000, () => '"a"')}]]`,
    `[[${list(9_000, () => '0')}]]`,
    '[["id"],["object"],["object","definition"],["actor"]]',
    `[${'['.repeat(20_000)}`,
    '[["__proto__"],["constructor","prototype"]]',
  ];
  await administer(
    context,
    paths.map((text) => ({ path: `/admin/csv?limit=5000&property-paths=${encodeURIComponent(text)}` })),
    18,
  );
}

/** An account, a key pair or the list of key pairs. */
function creation(_: unknown, index: number): Call {
  if (index % 4 === 1) return { path: '/admin/creds' };
  if (index % 4 !== 0) return { method: 'POST', path: '/admin/creds', body: '{"scopes":["all"]}' };
  const body = `{"username":"account${index}","password":"Str0ng_password${index}!"}`;
  return { method: 'POST', path: '/admin/account/create', body };
}

export const administrationAttacks: readonly Attack[] = [
  {
    name: 'login-flood',
    area: 'administration',
    threat: '300 wrong logins, 50 at a time, from many addresses',
    run: (context) =>
      context.parallel(context.amount(300), 50, (index) =>
        context.client.send({
          method: 'POST',
          path: '/admin/account/login',
          headers: jsonType,
          body: `{"username":"${index % 2 === 0 ? account.username : `user${index}`}","password":"Wrong_pass${index}!"}`,
          anonymous: true,
          from: `127.2.0.${(index % 200) + 1}`,
        }),
      ),
  },
  {
    name: 'key-pair-guesses',
    area: 'administration',
    threat: '3,000 wrong key pairs and forged tokens',
    run: (context) =>
      context.parallel(context.amount(3_000), 8, (index) =>
        context.client.send({
          path: index % 2 === 0 ? '/xapi/statements' : '/admin/account',
          headers: {
            Authorization:
              index % 2 === 0
                ? `Basic ${Buffer.from(`key:${index}`).toString('base64')}`
                : `Bearer eyJhbGciOiJub25lIn0.${Buffer.from(`{"acc":"${index}"}`).toString('base64url')}.`,
          },
        }),
      ),
  },
  {
    name: 'huge-admin-bodies',
    area: 'administration',
    threat: 'bodies of 9.9 MB and of 65 kB to the administration: arrays, texts, properties, brackets',
    settings: { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' },
    run: (context) => administer(context, hugeBodies, 72),
  },
  {
    name: 'exports',
    area: 'administration',
    threat: 'CSV exports of 5,000 rows with thousands of columns, four at a time',
    prepare: storeSome,
    run: exports,
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
    name: 'screen-files',
    area: 'administration',
    threat: 'paths that climb out of the folder of the screen, and Range headers',
    run: async (context) => {
      const names = [
        '..%2f..%2fetc%2fpasswd',
        '....//....//etc/passwd',
        '%2e%2e',
        '%00',
        '.',
        'a'.repeat(50_000),
        '..\\..',
        '%ff',
        'index.js%00.js',
        '__proto__',
        'constructor',
      ];
      await context.parallel(context.amount(1_000), 8, async (index) => {
        const path = `/assets/${names[index % names.length]}`;
        const { status, body } = await context.client.send({ path, headers: { Range: 'bytes=0-1,2-3,-1' } });
        if (status === 200 || body.includes('root:'))
          context.tally.violate(`${path.slice(0, 40)} gave a file`);
      });
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
    name: 'preflight-flood',
    area: 'administration',
    threat: '5,000 OPTIONS and unknown methods and paths',
    run: (context) =>
      context.parallel(context.amount(5_000), 8, (index) =>
        context.client.send({
          method: ['OPTIONS', 'PATCH', 'PROPFIND', 'HEAD', 'TRACE'][index % 5] ?? 'OPTIONS',
          path:
            ['/xapi/statements', '/nothing/here', `/${'a/'.repeat(20_000)}`, '/admin/../xapi', '//'][
              index % 5
            ] ?? '/',
          headers: {
            Origin: 'https://attacker.example',
            'Access-Control-Request-Headers': 'a,'.repeat(1_000),
          },
        }),
      ),
  },
];
