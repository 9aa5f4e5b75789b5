import { type ErrorCode, errorCodeNames, errorCodes } from '../errors.ts';
import { statusOf } from '../http/error-response.ts';
import { rulesetRules } from '../reactions/types.ts';
import { componentOf, listOf, objectOf } from './operations/answers.ts';
import type { Access, Content, JsonSchema } from './types.ts';
import { xapiSchemas } from './xapi-schemas.ts';

const errorDetail = objectOf(
  {
    path: { type: 'string', description: 'The place in the body, or the parameter.' },
    message: { type: 'string', description: 'The rule that it breaks.' },
    section: { type: 'string', description: 'Where the rule comes from.' },
    rule: {
      type: 'string',
      description: `The stable name of the rule. Rulesets of reactions have ${rulesetRules.join(', ')}; a title that another reaction has breaks unique.`,
    },
  },
  ['section', 'rule'],
);

const error: JsonSchema = objectOf(
  {
    error: { type: 'string', description: 'For people; it may change between releases.' },
    code: { type: 'string', description: `One of ${errorCodeNames.join(', ')}.` },
    details: listOf(errorDetail),
  },
  ['details'],
);

export const errorContent: Content = { 'application/json': componentOf('Error') };

export function refusalText(code: ErrorCode): string {
  return `${errorCodes[code].meaning} ${errorCodes[code].remedy}`;
}

/** What operations share: schemas, the answers of failures and the ways to say who calls. */
export const components = {
  schemas: { ...xapiSchemas, Error: error },
  responses: Object.fromEntries(
    errorCodeNames.map((code) => [
      code,
      { description: refusalText(code), content: { 'application/json': { schema: componentOf('Error') } } },
    ]),
  ),
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token that a login answers.',
    },
    keyPair: {
      type: 'http',
      scheme: 'basic',
      description: 'The api-key and secret-key of a key pair.',
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token of the OpenID provider, where one is configured.',
    },
    oneTimeToken: {
      type: 'apiKey',
      in: 'query',
      name: 'token',
      description: 'A token that is good for one download.',
    },
  },
} as const;

const keyPair = [{ keyPair: [] }, { accessToken: [] }];
const token = [{ token: [] }, { accessToken: [] }];

const securityOf: Readonly<Record<Access, readonly object[]>> = {
  'key-pair': keyPair,
  login: token,
  anybody: [],
};

/** Who may call, as OpenAPI says it. */
export function securityFor(access: Access, oneTime: boolean): readonly object[] {
  return oneTime ? [...securityOf[access], { oneTimeToken: [] }] : securityOf[access];
}

const everywhere: readonly ErrorCode[] = [
  'forbidden',
  'request-timeout',
  'too-large',
  'unsupported-media-type',
  'internal',
  'unavailable',
];
const withCredentials: readonly ErrorCode[] = [
  'invalid',
  'unauthenticated',
  'too-many-requests',
  ...everywhere,
];

/** The codes that may answer a route, with those of its operation. */
export function errorsOf(access: Access, own: readonly ErrorCode[]): ErrorCode[] {
  const common = access === 'anybody' ? everywhere : withCredentials;
  return [...new Set([...own, ...common])].sort((one, other) => statusOf[one] - statusOf[other]);
}
