import { login } from '../login.ts';
import { jsonType } from '../texts.ts';
import type { Attack, Context } from '../types.ts';
import { account } from '../victim.ts';

const names = [
  '..%2f..%2fetc%2fpasswd',
  '....//....//etc/passwd',
  '../../../../etc/passwd',
  '..%252f..%252fetc%252fpasswd',
  '%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
  '%e0%80%ae%e0%80%ae/etc/passwd',
  '..;/..;/etc/passwd',
  '%2e%2e',
  '%2e%2e%5c%2e%2e%5cetc%5cpasswd',
  '%00',
  '.',
  'a'.repeat(50_000),
  '%2e%2e%2f'.repeat(6_000),
  '../'.repeat(15_000),
  '..\\..',
  '%ff',
  '%',
  'index.js%00.js',
  'index.html%3f.js',
  '.built-from',
  '__proto__',
  'constructor',
];

/** Folders that names are looked for in, and what may stand before them. */
const folders = ['/assets/', '/', '//', '/assets//', '/assets/./', '/admin/ui/', '/assets/%2e/'];

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = part({ iss: 'lrs', sub: '1', acc: '00000000-0000-4000-8000-000000000000', exp: 9e9 });

/** Headers of JSON Web Tokens that name no algorithm, another one, a key of the sender or an extension. */
const tokenHeaders: readonly object[] = [
  { alg: 'none' },
  { alg: 'NONE' },
  { alg: 'RS256', jwk: { kty: 'oct', k: 'AAAA' } },
  { alg: 'HS256', kid: '../../../../dev/null' },
  { alg: 'HS256', crit: ['b64'], b64: false },
  { alg: 'HS256', jku: 'http://127.0.0.1:1/', x5u: 'file:///etc/passwd' },
  { alg: 'HS256', zip: 'DEF' },
  { alg: ['HS256'] },
  {},
];

/** Tokens that the server has not made; `real` is one that it has. */
function oddTokens(real: string): string[] {
  const deep = Buffer.from('['.repeat(30_000)).toString('base64url');
  return [
    ...tokenHeaders.map((header) => `${part(header)}.${claims}.${'A'.repeat(43)}`),
    ...tokenHeaders.map((header) => `${part(header)}.${claims}.`),
    `${real}A`,
    real.slice(0, -2),
    real.slice(0, real.lastIndexOf('.') + 1),
    `${real}.${real}`,
    `${real} ${real}`,
    real.replace('.', '..'),
    `${part({ alg: 'HS256' })}.${deep}.A`,
    `${deep}.${claims}.A`,
    `${part({ alg: 'HS256', a: 'a'.repeat(40_000) })}.${claims}.A`,
    `${part({ alg: 'HS256' })}.${claims}.${'A'.repeat(50_000)}`,
    `${part({ alg: 'HS256' })}.${part({ acc: 'a'.repeat(40_000) })}.A`,
    '.'.repeat(60_000),
    'a.'.repeat(30_000),
    'A'.repeat(60_000),
    '',
    '..',
    '\u00ff.\u00ff.\u00ff',
    '%00.%00.%00',
    'null.null.null',
  ];
}

async function sendOddTokens(context: Context): Promise<void> {
  const { amount, client, parallel, tally } = context;
  const real = (await login(context)).replace('Bearer ', '');
  const tokens = oddTokens(real);
  await parallel(amount(4_000), 8, async (index) => {
    const token = tokens[index % tokens.length] ?? '';
    const inQuery = index % 7 === 0;
    const { status } = await client.send({
      path: inQuery ? `/admin/csv?token=${encodeURIComponent(token)}` : '/admin/me',
      headers: inQuery ? {} : { Authorization: `Bearer ${token}` },
      anonymous: true,
    });
    if (status > 0 && status < 400) tally.violate(`a token was accepted: ${token.slice(0, 60)}`);
  });
}

/** Attacks on the administration and the screen by clients without an account. */
export const strangerAttacks: readonly Attack[] = [
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
    name: 'odd-tokens',
    area: 'administration',
    threat: '4,000 login tokens of odd shapes: other algorithms, deep JSON, 60 kB of dots, altered real ones',
    run: sendOddTokens,
  },
  {
    name: 'screen-files',
    area: 'administration',
    threat: 'paths that climb out of the folder of the screen, and Range headers',
    run: async (context) => {
      await context.parallel(context.amount(1_000), 8, async (index) => {
        const folder = folders[Math.floor(index / names.length) % folders.length];
        const path = `${folder}${names[index % names.length]}`;
        const { status, body } = await context.client.send({ path, headers: { Range: 'bytes=0-1,2-3,-1' } });
        // `/.` is the screen itself.
        if ((status === 200 && path !== '/.') || body.includes('root:')) {
          context.tally.violate(`${path.slice(0, 40)} gave a file`);
        }
      });
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
