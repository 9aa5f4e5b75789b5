import {
  createCredentialSchema,
  deleteCredentialSchema,
  updateCredentialSchema,
} from '../../credentials/schema.ts';
import { scopes } from '../../xapi/scopes.ts';
import { json, placeholders } from '../examples.ts';
import { jsonSchemaOf } from '../schema.ts';
import type { Operation } from '../types.ts';
import { answerOf, idSchema, listOf, objectOf, text } from './answers.ts';

const tag = 'Key pairs';

const pair = { 'api-key': placeholders.apiKey, 'secret-key': placeholders.secretKey };
const pairSchema = { 'api-key': text, 'secret-key': text };
const scopesSchema = listOf({ type: 'string', enum: [...scopes] });
const labelSchema = { type: ['string', 'null'] };

/** The key pairs of the account that is logged in. */
export const credentialOperations = {
  createCredential: {
    tag,
    summary: 'Create a key pair',
    description: 'The pair belongs to the account of the token. Without scopes it permits nothing.',
    body: { 'application/json': jsonSchemaOf(createCredentialSchema) },
    answers: { 200: answerOf('The new pair.', objectOf({ ...pairSchema, scopes: scopesSchema })) },
    errors: ['conflict'],
    examples: {
      create: {
        summary: 'A pair that may do everything on the xAPI',
        body: json({ scopes: ['all'], label: 'LMS' }),
        status: 200,
        answer: json({ ...pair, scopes: ['all'] }),
      },
    },
  },
  updateCredential: {
    tag,
    summary: 'Replace scopes and label of a key pair',
    description: 'A label that is left out becomes null.',
    body: { 'application/json': jsonSchemaOf(updateCredentialSchema) },
    answers: {
      200: answerOf(
        'The pair as it is now.',
        objectOf({ ...pairSchema, label: labelSchema, scopes: scopesSchema }),
      ),
    },
    errors: ['not-found'],
    examples: {
      update: {
        summary: 'Another label',
        body: json({ ...pair, scopes: ['all'], label: 'LMS of the school' }),
        status: 200,
        answer: json({ ...pair, label: 'LMS of the school', scopes: ['all'] }),
      },
    },
  },
  listCredentials: {
    tag,
    summary: 'List the own key pairs, with their secrets',
    answers: {
      200: answerOf(
        'The pairs of the account of the token.',
        listOf(
          objectOf(
            {
              id: idSchema,
              'api-key': text,
              'secret-key': {
                type: ['string', 'null'],
                description:
                  'Null when it was stored under another credentialKey; the pair can only be deleted then.',
              },
              label: labelSchema,
              'seed?': { const: true, description: 'The pair that the configuration names.' },
              scopes: scopesSchema,
            },
            ['seed?'],
          ),
        ),
      ),
    },
    examples: {
      list: {
        summary: 'One pair',
        status: 200,
        answer: json([{ id: placeholders.credentialId, ...pair, label: 'LMS', scopes: ['all'] }]),
      },
    },
  },
  deleteCredential: {
    tag,
    summary: 'Delete a key pair and its scopes',
    body: { 'application/json': jsonSchemaOf(deleteCredentialSchema) },
    answers: { 200: answerOf('The pair that is gone.', objectOf(pairSchema)) },
    errors: ['not-found'],
    examples: {
      delete: { summary: 'A pair of the account', body: json(pair), status: 200, answer: json(pair) },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
