import Joi from 'joi';
import { checked } from '../schema.ts';
import { adminParameters } from '../single-parameters.ts';
import {
  chosenStates,
  type NewStore,
  type StoreChange,
  type StoreQuery,
  type StoreSettings,
} from './types.ts';

const mostEntries = 1000;
const usualEntries = 100;

const positive = Joi.number().integer().min(1);

const ownSettings = {
  authorityUrl: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .messages({ 'string.uriCustomScheme': '{#label} must be an http or https address' })
    .description('As `lrs.authorityUrl`.'),
  enableReactions: Joi.boolean().description('As `lrs.enableReactions`.'),
  enableStrictVersion: Joi.boolean().description('As `lrs.enableStrictVersion`.'),
  stmtGetDefault: positive.description('As `lrs.stmtGetDefault`.'),
  stmtGetMax: positive.description('As `lrs.stmtGetMax`.'),
} satisfies Readonly<Record<keyof StoreSettings, Joi.Schema>>;

const settings = Joi.object<StoreSettings>(ownSettings)
  .messages({
    'object.unknown': `{#label} is not a setting that a store can have: ${Object.keys(ownSettings).join(', ')}`,
  })
  .description('What this store has otherwise than the configuration says; all of it, when it is changed.');

/** The body of `POST /admin/stores`; the rules for names and accounts are the service's. */
export const newStoreSchema = Joi.object<NewStore>({
  name: Joi.string()
    .required()
    .description('In its address: small letters, digits and hyphens, at most 40, and not `default`.'),
  server: Joi.string().description(
    'A name from `stores.storesServers`; without it the server of the default store.',
  ),
  settings,
  account: Joi.object({ username: Joi.string().required(), password: Joi.string().required() })
    .required()
    .description('The first account of the store, by which it is administered.'),
})
  .label('The body')
  .required();

/** That of `PUT /admin/stores/{name}`. */
export const storeChangeSchema = Joi.object<StoreChange>({
  state: Joi.string()
    .valid(...chosenStates)
    .description('`open`, `read-only` (changes are refused) or `closed` (every request is refused).'),
  settings,
})
  .or('state', 'settings')
  .label('The body')
  .required();

interface StoreDeletion {
  readonly name: string;
  readonly 'entry-only'?: boolean;
}

/** That of `DELETE /admin/stores/{name}`. */
export const storeDeletionSchema = Joi.object<StoreDeletion>({
  name: Joi.string().required().description('The name once more, because nothing of the store is left.'),
  'entry-only': Joi.boolean()
    .strict()
    .description(
      'With `true` the store is only taken off the list, and its database, which nobody looks for, stays as it is: for one whose server is lost.',
    ),
})
  .label('The body')
  .required();

/** The query parameters of `GET /admin/stores`. */
export const storeParameters = Joi.object<StoreQuery>({
  limit: Joi.number()
    .integer()
    .min(1)
    .max(mostEntries)
    .default(usualEntries)
    .description('Most entries on a page.'),
  after: Joi.string().description('Only names after this one; `more` has it.'),
});

/** @throws InvalidError */
export function readStoreParameters(query: URLSearchParams): StoreQuery {
  return checked(storeParameters, adminParameters(query, ['limit', 'after']));
}
