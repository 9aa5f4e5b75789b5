import {
  newStoreSchema,
  storeChangeSchema,
  storeDeletionSchema,
  storeParameters,
} from '../../stores/bodies.ts';
import { storeStates } from '../../stores/types.ts';
import { accounts, json, placeholders } from '../examples.ts';
import { jsonSchemaOf, queryParameters } from '../schema.ts';
import type { Operation, Parameter } from '../types.ts';
import { answerOf, flag, listOf, objectOf, text, timeSchema } from './answers.ts';

const tag = 'Stores';

const problem = objectOf({
  text: { ...text, description: 'A sentence for operators of the default store.' },
  since: { ...timeSchema, description: 'When the process that answers found it first.' },
});

const members = {
  name: text,
  server: { ...text, description: 'The database server; `main` is that of the default store.' },
  state: {
    enum: [...storeStates],
    description:
      '`creating` and `deleting`: that is going on, or has failed; such a store can only be deleted. `moving`: its database is being copied to another server, or that was interrupted; a change of the state ends it. `missing`: its database was not there when it was to be opened.',
  },
  settings: { type: 'object', description: 'What it has otherwise than the configuration says.' },
  created: timeSchema,
  'in-use': { ...flag, description: 'Whether the process that answers has its database open.' },
  problem: {
    ...problem,
    description:
      'Why the store can not be used, as the process that answers last found it; absent where it knows of nothing, such as before the first request to the store.',
  },
};

const store = objectOf(members, ['problem']);

const parameters: readonly Parameter[] = [
  { name: 'name', in: 'path', required: true, description: 'The name of the store.', schema: text },
];

const acme = {
  name: 'acme',
  server: 'main',
  state: 'open',
  settings: { enableReactions: false },
  created: placeholders.storeCreated,
  'in-use': false,
};
const closed = { ...acme, state: 'closed' };
const ofAcme = { name: 'acme' };

/** The stores beside the default one. */
export const storeListOperations = {
  createStore: {
    tag,
    summary: 'Make a store',
    description:
      'A complete LRS with a database and accounts of its own, at `/stores/{name}/…` and, where `stores.storesHost` is set, at its host name.',
    body: { 'application/json': jsonSchemaOf(newStoreSchema) },
    answers: { 200: answerOf('The new store.', store) },
    errors: ['conflict', 'unavailable'],
    examples: {
      create: {
        summary: 'A store for a customer',
        body: json({ name: 'acme', account: accounts.operator, settings: acme.settings }),
        status: 200,
        answer: json(acme),
      },
    },
  },
  listStores: {
    tag,
    summary: 'List the stores beside the default one',
    parameters: queryParameters(storeParameters),
    answers: {
      200: answerOf(
        'A page of stores by name; `more` leads to the next one and is empty on the last.',
        objectOf({
          stores: listOf(store),
          more: text,
          servers: {
            ...listOf(text),
            description: 'The names of the database servers on which stores can be made.',
          },
        }),
      ),
    },
    examples: {
      list: {
        summary: 'The first page',
        parameters: { limit: 10 },
        status: 200,
        answer: json({ stores: [acme], more: '', servers: ['main'] }),
      },
    },
  },
  getStore: {
    tag,
    summary: 'Show one store',
    parameters,
    answers: { 200: answerOf('The store.', store) },
    errors: ['not-found'],
    examples: { one: { summary: 'One store', parameters: ofAcme, status: 200, answer: json(acme) } },
  },
  changeStore: {
    tag,
    summary: 'Suspend or open a store, or change its settings',
    description:
      'Other processes follow within a second, for which the change to `read-only` waits, as for changes that have begun. A store that is `missing` is looked for again once its state is `open` or `read-only`.',
    parameters,
    body: { 'application/json': jsonSchemaOf(storeChangeSchema) },
    answers: { 200: answerOf('The store as it is now.', store) },
    errors: ['not-found', 'conflict'],
    examples: {
      close: {
        summary: 'Close it: every request to it is refused',
        parameters: ofAcme,
        body: json({ state: 'closed' }),
        status: 200,
        answer: json(closed),
      },
    },
  },
  deleteStore: {
    tag,
    summary: 'Delete a closed store with everything in it',
    parameters,
    body: { 'application/json': jsonSchemaOf(storeDeletionSchema) },
    answers: { 204: { description: 'Nothing of the store is left.' } },
    errors: ['not-found', 'conflict', 'unavailable'],
    examples: {
      delete: { summary: 'Delete it', parameters: ofAcme, body: json(ofAcme), status: 204 },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
