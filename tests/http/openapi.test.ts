import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { accounts, newPassword, placeholders } from '../../lib/openapi/examples.ts';
import { loadOperations } from '../../lib/openapi/operations/operations.ts';
import type { Example, Operation } from '../../lib/openapi/types.ts';
import {
  type Entrance,
  eventEntrance,
  firstAccount,
  type ServerEntrance,
  serverEntrance,
} from '../support/entrance.ts';
import { fullStatement } from '../support/full-statement.ts';
import { type ClientAnswer, type ClientRequest, gatewayEvents } from '../support/gateway-events.ts';
import { parsed, stringMember } from '../support/lrs-client.ts';
import { type StandInS3, startStandInS3 } from '../support/stand-in-s3.ts';
import { type Cast, learn, played } from '../support/story.ts';

interface OperationObject {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly responses: Record<string, { readonly $ref?: string; readonly content?: Record<string, object> }>;
}
interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, OperationObject>>;
}

/** Every example, in an order in which a server can answer them. */
const story = [
  'login/login',
  'createAccount/create',
  'createAccount/weak',
  'listAccounts/list',
  'getMe/me',
  'verifyLogin/verify',
  'createCredential/create',
  'listCredentials/list',
  'updateCredential/update',
  'putStatement/put',
  'getStatements/one',
  'getStatements/filtered',
  'postStatements/post',
  'announceAttachment/video',
  'announceAttachment/tooLarge',
  'getAttachment/unknown',
  'authoriseCsv/authorise',
  'getCsv/columns',
  'getExport/array',
  'getExportSize/none',
  'getStatus/counts',
  'getStatus/verbs',
  'deleteActor/count',
  'getPerson/person',
  'getActivity/activity',
  'listAgents/found',
  'listActivities/found',
  'putState/document',
  'postState/document',
  'getState/document',
  'getState/ids',
  'deleteState/document',
  'putAgentProfile/document',
  'postAgentProfile/document',
  'getAgentProfile/document',
  'getAgentProfile/ids',
  'listDocuments/profiles',
  'deleteAgentProfile/document',
  'putActivityProfile/document',
  'postActivityProfile/document',
  'getActivityProfile/document',
  'getActivityProfile/ids',
  'deleteActivityProfile/document',
  'deleteCredential/delete',
  'resetPassword/reset',
  'deleteAccount/delete',
  'listAuditEvents/newest',
  'createReaction/create',
  'createReaction/invalid',
  'listReactions/list',
  'previewReaction/nothing',
  'updateReaction/pause',
  'getReaction/details',
  'findFirings/none',
  'updateReaction/resume',
  'updateReaction/outdated',
  'replayReaction/replay',
  'deleteReaction/delete',
  'createStore/create',
  'listStores/list',
  'getStore/one',
  'changeStore/close',
  'deleteStore/delete',
  'getEnv/env',
  'getHealth/up',
  'getReadiness/ready',
  'getAbout/about',
  'changePassword/change',
  'renewToken/renew',
  'logout/logout',
];

const described: Readonly<Record<string, Operation>> = await loadOperations();

const everythingOn = {
  LRS_ENABLE_ADMIN_STATUS: 'true',
  LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
  LRS_ENABLE_REACTIONS: 'true',
  LRS_ENABLE_STORES: 'true',
};

let bucket: StandInS3;
let entrance: ServerEntrance;
let document: Document;
let ajv: Ajv2020;

beforeAll(async () => {
  bucket = await startStandInS3();
  entrance = await serverEntrance('http', { ...everythingOn, ...bucket.env });
  document = await documentOf(entrance);
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'openapi');
});
afterAll(async () => {
  await entrance.close();
  await bucket.close();
});

describe('GET /admin/openapi', () => {
  it('is a valid OpenAPI 3.1 document whose examples fit their schemas, says Redocly', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0' });
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'no-unused-components': 'off', 'operation-2xx-response': 'off' },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
  });

  it('names every route with its method, and nothing else', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = routes
      .filter(({ path }) => path === '/' || !path.endsWith('/'))
      .map(({ method, path }) => `${method} ${path.replace('+}', '}')}`);
    expect(documented.sort()).toEqual(expected.sort());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('needs a token', async () => {
    expect((await entrance.send({ method: 'GET', path: '/admin/openapi' })).status).toBe(401);
  });

  it.each(routes.filter(({ access }) => access !== 'anybody'))(
    '$method $path without credentials is answered as documented',
    async ({ method, path }) => {
      const headers = { 'content-type': 'application/json', 'x-experience-api-version': '1.0.3' };
      const answer = await entrance.send({ method, path, headers });
      expect([answer.status, answer.headers['cache-control']]).toEqual([401, 'no-store']);
      expectDocumented(answer, method, path);
    },
  );

  it('has every example in the story below', () => {
    const all = Object.entries(described).flatMap(([handler, { examples }]) =>
      Object.keys(examples).map((name) => `${handler}/${name}`),
    );
    expect([...story].sort()).toEqual(all.sort());
  });

  it('has every example under its name', () => {
    for (const { method, path, handler } of routes.filter(({ method }) => method !== 'HEAD')) {
      const text = JSON.stringify(operationAt(method, path));
      for (const { summary, body, answer } of Object.values(described[handler]?.examples ?? {})) {
        if (body !== undefined || answer !== undefined) expect(text).toContain(JSON.stringify(summary));
      }
    }
  });

  describe('with the examples sent to a running server, one after the other', () => {
    const cast: Cast = new Map([
      [accounts.first.password, firstAccount.password],
      [accounts.operator.password, 'N0t_in_a_document!'],
      [newPassword, 'N3ver_in_a_document!'],
    ]);

    it.each(story)('%s is answered as documented', async (step) => {
      const [handler = '', name = ''] = step.split('/');
      const example = described[handler]?.examples[name];
      if (example === undefined) throw new Error(`There is no example ${step}.`);
      for (const { method, path } of routes.filter((route) => route.handler === handler)) {
        const answer = await entrance.send(requestOf({ method, path, handler, example, cast }));
        expect(answer.status, answer.body.toString()).toBe(example.status);
        expect(answer.headers['cache-control'], `${method} ${path}`).toBe(cacheControlOf(answer, path));
        expectDocumented(answer, method, path);
        if (method === 'HEAD') expect(answer.body).toHaveLength(0);
        else expectExample(answer, example, cast);
      }
    });

    it('two placeholders never stand for the same', () => {
      expect(cast.size).toBeGreaterThan(8);
      expect(new Set(cast.values()).size).toBe(cast.size);
    });
  });

  it.each(['1.0.3', '2.0.0'] as const)(
    'has a schema that a statement of %s with everything fits',
    (version) => {
      const validate = ajv.compile({ $ref: 'openapi#/components/schemas/Statement' });
      const statement = JSON.parse(JSON.stringify(fullStatement(version)));
      validate(statement);
      expect(validate.errors ?? []).toEqual([]);
      expect(validate({ ...statement, verb: 'completed' })).toBe(false);
      expect(validate({ ...statement, unknown: 1 })).toBe(false);
    },
  );

  it('names the place where a gateway or a proxy serves it, and the prefix of the xAPI', async () => {
    expect(document.servers).toEqual([{ url: '/' }]);
    const eventOf = gatewayEvents['REST API event (v1)'];
    if (eventOf === undefined) throw new Error('there is no such event');
    const moved = { LRS_URL_PREFIX: '/lrs/xapi', LRS_PROXY_PATH: '/learning' };
    for (const [stage, env, url] of [
      ['/dev', {}, '/dev'],
      ['/dev', moved, '/learning/dev'],
    ] as const) {
      const there = await eventEntrance(eventOf, stage, env);
      const { servers, paths } = await documentOf(there).finally(() => there.close());
      expect(servers).toEqual([{ url }]);
      expect(Object.keys(paths)).toContain(env === moved ? '/lrs/xapi/about' : '/xapi/about');
    }
  });
});

async function documentOf(place: Entrance): Promise<Document> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(firstAccount);
  const login = await place.send({ method: 'POST', path: '/admin/account/login', headers, body });
  const authorization = `Bearer ${stringMember(login, 'json-web-token')}`;
  const answer = await place.send({ method: 'GET', path: '/admin/openapi', headers: { authorization } });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
  return JSON.parse(answer.body.toString('utf8'));
}

/** A copy of what a key pair may read is asked for again; nothing else is kept. */
function cacheControlOf({ status }: ClientAnswer, path: string): string {
  const isResource = path.startsWith('/xapi/') && path !== '/xapi/about';
  return isResource && status < 400 ? 'private, no-cache' : 'no-store';
}

function operationAt(method: string, path: string): OperationObject {
  const documentedPath = path === '/' ? path : path.replace('+}', '}').replace(/\/$/, '');
  const operation = document.paths[documentedPath]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not documented.`);
  return operation;
}

/** The status is documented, and the body, where it is JSON, fits the schema that the document gives for it. */
function expectDocumented(answer: ClientAnswer, method: string, path: string): void {
  const pointer = ['paths', path, method.toLowerCase(), 'responses', String(answer.status)];
  const response = operationAt(method, path).responses[answer.status];
  expect(response, `${method} ${path} ${answer.status}`).toBeDefined();
  if (answer.headers['content-type'] !== 'application/json' || answer.body.length === 0) return;
  const place = response?.$ref ?? `#/${pointer.map((part) => part.replaceAll('/', '~1')).join('/')}`;
  const validate = ajv.compile({ $ref: `openapi${place}/content/application~1json/schema` });
  validate(parsed(answer));
  expect(validate.errors ?? [], answer.body.toString()).toEqual([]);
}

function expectExample(answer: ClientAnswer, example: Example, cast: Cast): void {
  if (example.answer === undefined) {
    expect(answer.body).toHaveLength(0);
    return;
  }
  expect(answer.headers['content-type']).toBe(example.answer.contentType);
  const isJson = example.answer.contentType === 'application/json';
  const real = isJson ? parsed(answer) : answer.body.toString();
  learn(example.answer.value, real, cast);
  expect(real).toEqual(played(example.answer.value, cast));
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly handler: string;
  readonly example: Example;
  readonly cast: Cast;
}

/** The request of an example; a read by POST carries its parameters as a form. */
function requestOf({ method, path, handler, example, cast }: Call): ClientRequest {
  const { body } = example;
  const parameters = played(example.parameters ?? {}, cast) as object;
  const authorization = credentials(operationAt(method, path), cast);
  if (method === 'POST' && handler.startsWith('get')) {
    const form = new URLSearchParams({ ...texts(parameters), ...authorization });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { method, path, query: 'method=GET', headers, body: form.toString() };
  }
  const inPath = ([name]: readonly [string, unknown]) => path.includes(`{${name}}`);
  const inHeader = ([name]: readonly [string, unknown]) => /^(If-|X-Experience)/.test(name);
  const entries = Object.entries(texts(parameters));
  const inQuery = entries.filter((entry) => !inHeader(entry) && !inPath(entry));
  return {
    method,
    path: entries.reduce((place, [name, value]) => place.replace(`{${name}}`, value), path),
    query: new URLSearchParams(inQuery).toString(),
    headers: {
      ...authorization,
      ...Object.fromEntries(entries.filter(inHeader)),
      ...(body !== undefined && { 'content-type': body.contentType }),
    },
    ...(body !== undefined && { body: JSON.stringify(played(body.value, cast)) }),
  };
}

function texts(parameters: object): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

function credentials({ security }: OperationObject, cast: Cast): Record<string, string> {
  const [first] = security;
  if (first === undefined) return {};
  const { apiKey, secretKey, token } = placeholders;
  return 'keyPair' in first
    ? { authorization: `Basic ${btoa(`${cast.get(apiKey)}:${cast.get(secretKey)}`)}` }
    : { authorization: `Bearer ${cast.get(token)}` };
}
