import Joi from 'joi';

/** The bodies of the account routes. Members that a route does not know are ignored, as in lrsql. */

export interface LoginBody {
  readonly username: string;
  readonly password: string;
}

export interface DeleteAccountBody {
  readonly 'account-id': string;
}

export interface ChangePasswordBody {
  readonly 'old-password': string;
  readonly 'new-password': string;
}

export interface ResetPasswordBody {
  readonly 'account-id': string;
  readonly 'new-password': string;
}

/** Any two non-empty strings: whether they match anybody is for the service to say. */
export const loginSchema = Joi.object<LoginBody>({
  username: Joi.string().required(),
  password: Joi.string().required(),
})
  .label('The body')
  .required()
  .options({ stripUnknown: true });

/** The rules for names and passwords are the service's (`lib/accounts/rules.ts`). */
export const createAccountSchema = loginSchema;

export const changePasswordSchema = Joi.object<ChangePasswordBody>({
  'old-password': Joi.string().required(),
  'new-password': Joi.string().required(),
})
  .label('The body')
  .required()
  .options({ stripUnknown: true });

const accountId = Joi.string()
  .required()
  .lowercase()
  .guid({ separator: '-', wrapper: false })
  .messages({ 'string.guid': '{#label} must be a UUID' });

export const resetPasswordSchema = Joi.object<ResetPasswordBody>({
  'account-id': accountId,
  'new-password': Joi.string().required(),
})
  .label('The body')
  .required()
  .options({ stripUnknown: true });

export const deleteAccountSchema = Joi.object<DeleteAccountBody>({ 'account-id': accountId })
  .label('The body')
  .required()
  .options({ stripUnknown: true });
