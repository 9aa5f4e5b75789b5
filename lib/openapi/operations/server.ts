import { json } from '../examples.ts';
import type { Operation } from '../types.ts';
import { answerOf, count, flag, listOf, objectOf, text, timeSchema } from './answers.ts';

const tag = 'Server';

const settings = objectOf(
  {
    'jwt-refresh-interval': { type: 'integer', description: 'How often a page renews its token (s).' },
    'jwt-interaction-window': {
      type: 'integer',
      description: 'How recent the last use of a page must be for that (s).',
    },
    'url-prefix': { type: 'string', description: 'The prefix of the xAPI.' },
    'proxy-path': { type: ['string', 'null'] },
    'enable-admin-delete-actor': flag,
    'enable-admin-status': flag,
    'enable-reactions': flag,
    'enable-stores': flag,
    store: { type: 'string', description: 'The name of the store; absent in the default one.' },
    'no-val?': { type: 'boolean', description: 'Whether tokens are those of a proxy.' },
    'no-val-logout-url': { type: 'string', description: 'Where to log out then, if that is configured.' },
    'admin-language-code': text,
    'custom-language': { type: 'object', description: 'Texts of pages that differ from the usual ones.' },
    'stmt-get-max': { type: 'integer', description: 'The most statements of a page.' },
    'auth-by-cred-id': flag,
    'supported-versions': listOf(text),
    'reaction-version': text,
    'no-accounts': {
      const: true,
      description: 'Nobody can log in yet, because there is no account; only there as long as that is so.',
    },
    oidc: { type: 'object', description: 'Settings of an OpenID Connect client; only when there is one.' },
    'oidc-enable-local-admin': flag,
  },
  ['store', 'no-val-logout-url', 'no-accounts', 'oidc', 'oidc-enable-local-admin'],
);

const shownKey = {
  group: text,
  key: text,
  env: { ...text, description: 'The environment variable that sets it.' },
  default: { type: 'boolean', description: 'Whether nobody has set it.' },
};

const setup = objectOf({
  version: { ...text, description: 'Of this release.' },
  node: { ...text, description: 'The version of Node.js.' },
  started: { ...timeSchema, description: 'When the process that answers opened the store.' },
  'supported-versions': listOf(text),
  database: objectOf({
    engine: text,
    version: text,
    size: { ...count, description: 'Bytes.' },
    schema: { ...text, description: 'The newest step of the schema.' },
  }),
  settings: listOf({
    anyOf: [
      objectOf({ ...shownKey, value: {} }),
      objectOf({ ...shownKey, secret: { const: true }, set: flag }),
    ],
  }),
});

/** What the server tells about itself. */
export const serverOperations = {
  getEnv: {
    tag,
    summary: 'Show the settings that a client goes by',
    answers: { 200: answerOf('Selected settings.', settings) },
    examples: {
      env: {
        summary: 'The defaults',
        status: 200,
        answer: json({
          'jwt-refresh-interval': 3540,
          'jwt-interaction-window': 600,
          'url-prefix': '/xapi',
          'proxy-path': null,
          'enable-admin-delete-actor': true,
          'enable-admin-status': true,
          'enable-reactions': true,
          'enable-stores': true,
          'no-val?': false,
          'admin-language-code': 'en-US',
          'custom-language': {},
          'stmt-get-max': 50,
          'auth-by-cred-id': false,
          'supported-versions': ['1.0.3', '2.0.0'],
          'reaction-version': '1.0.3',
        }),
      },
    },
  },
  getSettings: {
    tag,
    summary: 'Show what runs here and how it is set up',
    description: 'Every setting that has an effect, with its value; of a secret only whether it is set.',
    answers: { 200: answerOf('Versions, the database and the settings.', setup) },
    examples: {},
  },
  getOpenApi: {
    tag,
    summary: 'This document',
    answers: { 200: answerOf('An OpenAPI 3.1 document.', { type: 'object' }) },
    examples: {},
  },
  getHealth: {
    tag,
    summary: 'Check that the server is up',
    answers: {
      200: answerOf('The server is up and its database is open.', objectOf({ status: { const: 'ok' } })),
    },
    examples: { up: { summary: 'The server is up', status: 200, answer: json({ status: 'ok' }) } },
  },
  getReadiness: {
    tag,
    summary: 'Check that requests can be served',
    description: 'While the database can not be read and written this is 503, though the server is up.',
    answers: {
      200: answerOf('The database can be read and written.', objectOf({ status: { const: 'ready' } })),
    },
    errors: ['unavailable'],
    examples: {
      ready: { summary: 'The server is ready', status: 200, answer: json({ status: 'ready' }) },
    },
  },
  getMetrics: {
    tag,
    summary: 'Show the metrics of the Node.js server',
    description:
      'In the text format of Prometheus, for requests with `Authorization: Bearer` and the token of the setting `metricsToken`.',
    answers: {
      200: { description: 'The metrics.', content: { 'text/plain; version=0.0.4; charset=utf-8': text } },
    },
    errors: ['unauthenticated', 'not-found'],
    examples: {},
  },
  getAbout: {
    tag: 'About',
    summary: 'Show which versions of the xAPI this LRS speaks',
    answers: { 200: answerOf('The versions.', objectOf({ version: listOf(text) })) },
    examples: {
      about: {
        summary: 'Both versions',
        status: 200,
        answer: json({ version: ['1.0.3', '2.0.0'] }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
