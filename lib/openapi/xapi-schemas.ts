import { componentOf, flag, idSchema, listOf, objectOf, text, timeSchema } from './operations/answers.ts';
import type { JsonSchema } from './types.ts';

/*
 * The objects of the xAPI as JSON Schema (xAPI 1.0.3 Data 2 and 4). They say what goes where; `lib/xapi` checks more than
 * JSON Schema can say, and refuses with the section of the rule.
 */

const iri: JsonSchema = { type: 'string', format: 'iri' };
const languageMap: JsonSchema = { type: 'object', additionalProperties: text };
const extensions: JsonSchema = { type: 'object', propertyNames: iri };
const score = { type: 'number' } as const;

const account = objectOf({ homePage: iri, name: text });
const identifiers = {
  mbox: { type: 'string', pattern: '^mailto:' },
  mbox_sha1sum: { type: 'string', pattern: '^[0-9a-fA-F]{40}$' },
  openid: { type: 'string', format: 'uri' },
  account,
};

/** An object of which only some members have to be there; the xAPI permits no others. */
const strict = (properties: Readonly<Record<string, JsonSchema>>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const agent = strict({ objectType: { const: 'Agent' }, name: text, ...identifiers });
const group = strict(
  { objectType: { const: 'Group' }, name: text, ...identifiers, member: listOf(componentOf('Agent')) },
  'objectType',
);
const actor = { anyOf: [componentOf('Agent'), componentOf('Group')] };

const interactionComponents = listOf(strict({ id: text, description: languageMap }, 'id'));
const definition = strict({
  name: languageMap,
  description: languageMap,
  type: iri,
  moreInfo: iri,
  extensions,
  interactionType: text,
  correctResponsesPattern: listOf(text),
  choices: interactionComponents,
  scale: interactionComponents,
  source: interactionComponents,
  target: interactionComponents,
  steps: interactionComponents,
});

const result = strict({
  score: strict({ scaled: { ...score, minimum: -1, maximum: 1 }, raw: score, min: score, max: score }),
  success: flag,
  completion: flag,
  response: text,
  duration: { type: 'string', format: 'duration' },
  extensions,
});

const activities = {
  anyOf: [componentOf('Activity'), listOf(componentOf('Activity'))],
};
const context = strict({
  registration: idSchema,
  instructor: actor,
  team: componentOf('Group'),
  contextActivities: strict({
    parent: activities,
    grouping: activities,
    category: activities,
    other: activities,
  }),
  contextAgents: listOf({ type: 'object' }),
  contextGroups: listOf({ type: 'object' }),
  revision: text,
  platform: text,
  language: text,
  statement: componentOf('StatementRef'),
  extensions,
});

const attachment = strict(
  {
    usageType: iri,
    display: languageMap,
    description: languageMap,
    contentType: text,
    length: { type: 'integer', minimum: 0 },
    sha2: text,
    fileUrl: iri,
  },
  'usageType',
  'display',
  'contentType',
  'length',
  'sha2',
);

const object: JsonSchema = {
  anyOf: ['Activity', 'Agent', 'Group', 'StatementRef', 'SubStatement'].map(componentOf),
};
const core = {
  actor: { $ref: '#/components/schemas/Actor' },
  verb: componentOf('Verb'),
  result: componentOf('Result'),
  context: componentOf('Context'),
  timestamp: timeSchema,
  attachments: listOf(componentOf('Attachment')),
};

export const xapiSchemas: Readonly<Record<string, JsonSchema>> = {
  Agent: agent,
  Group: group,
  Actor: actor,
  Verb: strict({ id: iri, display: languageMap }, 'id'),
  Activity: strict({ objectType: { const: 'Activity' }, id: iri, definition }, 'id'),
  StatementRef: strict({ objectType: { const: 'StatementRef' }, id: idSchema }, 'objectType', 'id'),
  SubStatement: strict(
    { objectType: { const: 'SubStatement' }, ...core, object },
    ...['objectType', 'actor', 'verb', 'object'],
  ),
  Result: result,
  Context: context,
  Attachment: attachment,
  Statement: strict(
    { id: idSchema, ...core, object, stored: timeSchema, version: text, authority: actor },
    ...['actor', 'verb', 'object'],
  ),
  StatementResult: objectOf({
    statements: listOf(componentOf('Statement')),
    more: {
      type: 'string',
      description: 'The link to the next page, relative to this server; empty on the last.',
    },
  }),
  Person: strict(
    {
      objectType: { const: 'Person' },
      name: listOf(text),
      mbox: listOf(text),
      mbox_sha1sum: listOf(text),
      openid: listOf(text),
      account: listOf(account),
    },
    'objectType',
  ),
};
