import { createHash } from 'node:crypto';
import type { Random } from '../random.ts';
import { formType, jsonType, multipart, multipartType, statementText } from '../texts.ts';
import { anyJson, mutate, mutateText, nastyText } from './mutate.ts';
import { fullStatement, oddStatement } from './statements.ts';
import type { WireRequest } from './wire.ts';

/** What may be sent with a request: a key pair, a login token, or nothing. */
export interface Credentials {
  readonly pair: string;
  readonly token: string;
}

export type Generator = (random: Random, credentials: Credentials) => WireRequest;

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

const none = Buffer.alloc(0);

/** A request that is framed correctly, whatever its parts hold. */
function framed({ method, target, headers = {}, body = none }: Parts): WireRequest {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ Host: 'a', ...headers, 'Content-Length': String(bytes.length) })
    .map(([name, value]) => `${name}: ${headerValue(value)}\r\n`)
    .join('');
  return { method, head: `${method} ${targetText(target)} HTTP/1.1\r\n${lines}\r\n`, body: bytes };
}

/** Without what ends a line, or a header. */
function headerValue(value: string): string {
  return Buffer.from(value, 'utf8')
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
}

function targetText(target: string): string {
  return Buffer.from(target, 'utf8')
    .toString('latin1')
    .replace(/[^\x21-\x7e\x80-\xff]/g, '+');
}

function xapi({ pair }: Credentials, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { Authorization: pair, 'X-Experience-API-Version': '1.0.3', ...more };
}

function encodeSometimes(random: Random, text: string): string {
  return random.chance(0.7) ? encodeURIComponent(text.toWellFormed()) : text;
}

const agent = '{"mbox":"mailto:ann@example.org"}';
const uuid = '6d969975-8d7e-4506-ac19-877c57f2921a';
const parameters: readonly (readonly [string, string])[] = [
  ['statementId', uuid],
  ['voidedStatementId', uuid],
  ['agent', agent],
  ['verb', 'https://example.org/verbs/did'],
  ['activity', 'https://example.org/activities/a'],
  ['registration', 'ec531277-b57b-4c15-8d91-d292c5b2b8f7'],
  ['related_agents', 'true'],
  ['related_activities', 'true'],
  ['since', '2020-01-01T00:00:00Z'],
  ['until', '2030-01-01T00:00:00Z'],
  ['limit', '3'],
  ['format', 'canonical'],
  ['attachments', 'true'],
  ['ascending', 'true'],
  ['from', '1700000000000000'],
  ['activityId', 'https://example.org/activities/a'],
  ['stateId', 's'],
  ['profileId', 'p'],
  ['search', 'a'],
  ['include', 'timeline'],
  ['property-paths', '[["id"]]'],
];

function oddQuery(random: Random, from: readonly (readonly [string, string])[], most: number): string {
  const chosen = Array.from({ length: random.int(most) }, () => random.pick(from));
  const fields = chosen.map(([name, value]) => {
    const odd = random.chance(0.5) ? mutateText(random, value) : value;
    return `${random.chance(0.9) ? name : mutateText(random, name)}=${encodeSometimes(random, odd)}`;
  });
  return fields.join(random.chance(0.95) ? '&' : '&&');
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

const xapiPaths = [
  '/xapi/statements',
  '/xapi/activities/state',
  '/xapi/activities/profile',
  '/xapi/agents/profile',
  '/xapi/agents',
  '/xapi/activities',
  '/xapi/about',
];

const json: Generator = (random, credentials) => ({
  ...framed({
    method: 'POST',
    target: '/xapi/statements',
    headers: xapi(credentials, jsonType),
    body: mutate(random, Buffer.from(random.chance(0.5) ? fullStatement(random) : anyJson(random, 6))),
  }),
});

const statements: Generator = (random, credentials) => {
  const count = random.chance(0.8) ? 1 : random.int(4);
  const texts = Array.from({ length: count }, () => oddStatement(random));
  return framed({
    method: 'POST',
    target: '/xapi/statements',
    headers: xapi(credentials, {
      ...jsonType,
      'X-Experience-API-Version': random.chance(0.5) ? '2.0.0' : '1.0.3',
    }),
    body: count === 1 ? (texts[0] ?? '') : `[${texts.join(',')}]`,
  });
};

const multiparts: Generator = (random, credentials) => {
  const contents = Array.from({ length: random.int(4) }, () => random.bytes(1 + random.int(40)));
  const hashes = contents.map((content) => createHash('sha256').update(content).digest('hex'));
  const entries = contents.map(
    ({ length }, index) =>
      `{"usageType":"https://example.org/u","display":{"en":"f"},"contentType":"text/plain","length":${length},"sha2":"${hashes[index]}"}`,
  );
  const text = statementText(entries.length > 0 ? { attachments: `[${entries.join(',')}]` } : {});
  const whole = multipart([
    { head: 'Content-Type: application/json', content: random.chance(0.8) ? text : oddStatement(random) },
    ...contents.map((content, index) => ({
      head: `Content-Type: text/plain\r\nX-Experience-API-Hash: ${hashes[index]}`,
      content,
    })),
  ]);
  const type = multipartType['Content-Type'];
  return framed({
    method: 'POST',
    target: '/xapi/statements',
    headers: xapi(credentials, { 'Content-Type': random.chance(0.8) ? type : mutateText(random, type) }),
    body: random.chance(0.9) ? mutate(random, whole) : whole,
  });
};

const headers: Generator = (random, credentials) => {
  const usual: readonly (readonly [string, string])[] = [
    ['Authorization', credentials.pair],
    ['X-Experience-API-Version', '1.0.3'],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Accept-Language', 'en-US,de;q=0.5'],
    ['Accept-Encoding', 'gzip, br;q=0.5'],
    ['If-Match', '"abc", W/"d"'],
    ['If-None-Match', '*'],
    ['Origin', 'https://example.org'],
    ['Range', 'bytes=0-1'],
    ['Cookie', 'a=b'],
    ['X-Forwarded-For', '1.2.3.4'],
    ['Content-Encoding', 'identity'],
    ['Accept', 'application/json'],
  ];
  const sent = usual.filter(() => random.chance(0.5));
  const odd = sent.map(([name, value]): [string, string] => [
    name,
    random.chance(0.6) ? mutateText(random, value) : value,
  ]);
  return framed({
    method: random.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']),
    target: `${random.pick(xapiPaths)}?${random.chance(0.5) ? oddQuery(random, parameters, 3) : ''}`,
    headers: Object.fromEntries(odd),
    body: random.chance(0.3) ? fullStatement(random) : none,
  });
};

const queries: Generator = (random, credentials) =>
  framed({
    method: random.chance(0.8) ? 'GET' : 'HEAD',
    target: `${random.pick(xapiPaths)}?${oddQuery(random, parameters, 6)}`,
    headers: xapi(credentials),
  });

const ids: Generator = (random, credentials) => {
  const id = mutateText(random, random.chance(0.5) ? uuid : random.uuid());
  const putStatement = random.chance(0.5);
  const documentKey = `activityId=${encodeSometimes(random, mutateText(random, 'https://example.org/a'))}`;
  return framed({
    method: 'PUT',
    target: putStatement
      ? `/xapi/statements?statementId=${encodeSometimes(random, id)}`
      : `/xapi/activities/profile?${documentKey}&profileId=${encodeSometimes(random, id)}`,
    headers: xapi(credentials, { ...jsonType, 'If-None-Match': '*' }),
    body: putStatement ? oddStatement(random) : '{}',
  });
};

const documents: Generator = (random, credentials) => {
  const key = `activityId=https%3A%2F%2Fexample.org%2Fa&agent=${encodeURIComponent(agent)}&stateId=s${random.int(20)}`;
  const body = random.chance(0.5) ? anyJson(random, 5) : mutate(random, Buffer.from('{"a":{"b":[1,2,3]}}'));
  return framed({
    method: random.pick(['PUT', 'POST', 'POST', 'GET', 'DELETE']),
    target: `${random.pick(['/xapi/activities/state', '/xapi/agents/profile', '/xapi/activities/profile'])}?${random.chance(0.8) ? key : mutateText(random, key)}`,
    headers: xapi(credentials, {
      'Content-Type': random.pick(['application/json', 'text/plain', nastyText(random)]),
      ...(random.chance(0.3) && { 'If-Match': nastyText(random) }),
    }),
    body,
  });
};

const forms: Generator = (random, credentials) => {
  const fields = oddQuery(
    random,
    [
      ...parameters,
      ['content', fullStatement(random)],
      ['Authorization', credentials.pair],
      ['If-Match', '*'],
    ],
    8,
  );
  return framed({
    method: 'POST',
    target: `${random.pick(xapiPaths)}?method=${random.chance(0.9) ? random.pick(['GET', 'PUT', 'POST', 'DELETE']) : nastyText(random)}`,
    headers: xapi(credentials, formType),
    body: random.chance(0.5) ? fields : mutate(random, Buffer.from(fields)),
  });
};

const adminPaths = [
  '/admin/account',
  '/admin/account/create',
  '/admin/account/password',
  '/admin/account/reset-password',
  '/admin/me',
  '/admin/creds',
  '/admin/audit',
  '/admin/status',
  '/admin/agents',
  '/admin/activities',
  '/admin/documents',
  '/admin/csv?limit=3',
  '/admin/reaction',
  '/admin/env',
];

const administration: Generator = (random, { token }) => {
  const method = random.pick(['GET', 'GET', 'POST', 'PUT', 'DELETE']);
  const known = {
    username: 'u',
    password: 'p',
    scopes: ['all'],
    label: 'l',
    'api-key': 'k',
    'secret-key': 's',
  };
  const body = random.chance(0.5) ? mutateText(random, JSON.stringify(known)) : anyJson(random, 3);
  return framed({
    method,
    target: withQuery(random.pick(adminPaths), oddQuery(random, parameters, 4)),
    headers: { ...jsonType, Authorization: random.chance(0.9) ? token : mutateText(random, token) },
    body: method === 'GET' ? none : body,
  });
};

const paths: Generator = (random, credentials) => {
  const path = random.pick([...xapiPaths, ...adminPaths, '/', '/assets/a.js', '/health', '/health/ready']);
  const odd = mutateText(random, path);
  return framed({
    method: random.pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']),
    target: odd.startsWith('/') ? odd : `/${odd}`,
    headers: xapi(credentials, jsonType),
  });
};

/** Each makes requests that are framed correctly. */
export const generators = {
  json,
  statements,
  multiparts,
  headers,
  queries,
  ids,
  documents,
  forms,
  administration,
  paths,
} as const satisfies Readonly<Record<string, Generator>>;
