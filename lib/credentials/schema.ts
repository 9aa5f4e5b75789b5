import Joi from 'joi';
import { type Scope, scopes } from '../xapi/scopes.ts';

/** The bodies of the credential routes. Members that a route does not know are ignored, as in lrsql. */

export interface KeyPairBody {
  readonly 'api-key': string;
  readonly 'secret-key': string;
}

export interface CreateCredentialBody {
  readonly scopes: readonly Scope[];
  readonly label: string | null;
}

export interface UpdateCredentialBody extends KeyPairBody, CreateCredentialBody {}

const keyPair = { 'api-key': Joi.string().required(), 'secret-key': Joi.string().required() };

/** Characters of a label: an account's list of key pairs is one response. */
export const longestLabel = 1000;

/** An empty list is allowed and permits nothing; a label left out is null, also on update. */
const grant = {
  scopes: Joi.array()
    .items(Joi.string().valid(...scopes))
    .unique()
    .required(),
  label: Joi.string().max(longestLabel).allow('', null).default(null),
};

export const createCredentialSchema = Joi.object<CreateCredentialBody>(grant)
  .label('The body')
  .required()
  .options({ stripUnknown: true });
export const updateCredentialSchema = Joi.object<UpdateCredentialBody>({ ...keyPair, ...grant })
  .label('The body')
  .required()
  .options({ stripUnknown: true });
export const deleteCredentialSchema = Joi.object<KeyPairBody>(keyPair)
  .label('The body')
  .required()
  .options({ stripUnknown: true });
