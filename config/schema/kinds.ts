import Joi from 'joi';

/** What a key carries beside its Joi rules; kept in `.meta()`, read in `keys.ts`. */
export interface KeyMeta {
  /** Never printed, never part of `Config`. */
  readonly secret?: boolean;
  /** A further environment name (without prefix) that lrsql uses for the key. */
  readonly env?: string;
  /** The key is accepted with a warning and has no effect; this is why. */
  readonly ignored?: string;
  /** The kind of value in words, where the rules don't say it well. */
  readonly kind?: string;
  /** The default in words, where it depends on another key. */
  readonly defaultText?: string;
}

const described = <S extends Joi.AnySchema>(schema: S, description: string, meta: KeyMeta): S =>
  schema.description(description).meta(meta);

export const text = (description: string, meta: KeyMeta = {}): Joi.StringSchema =>
  described(Joi.string(), description, meta);

/** The address of a service by HTTP. It is no secret, so it has none in it. */
export const address = (description: string): Joi.StringSchema =>
  text(description, { kind: 'an http or https address without user and password' })
    .uri({ scheme: ['http', 'https'] })
    .custom(withoutLogin);

/** Takes an address without user and password. */
export const withoutLogin: Joi.CustomValidator<string> = (value, helpers) => {
  if (!URL.canParse(value)) return helpers.error('string.uri');
  const { username, password } = new URL(value);
  return username === '' && password === '' ? value : helpers.error('string.uri');
};

export const secret = (description: string): Joi.StringSchema => text(description, { secret: true });

export const flag = (description: string, meta: KeyMeta = {}): Joi.BooleanSchema =>
  described(Joi.boolean(), description, meta);

export const integer = (description: string, meta: KeyMeta = {}): Joi.NumberSchema =>
  described(Joi.number().integer(), description, meta);

export const number = (description: string, meta: KeyMeta = {}): Joi.NumberSchema =>
  described(Joi.number(), description, meta);

export const port = (description: string): Joi.NumberSchema => integer(description).min(0).max(65_535);

/** A list of texts; in the environment and where the file has one text, commas separate the items. */
export const list = (item: Joi.StringSchema, description: string, meta: KeyMeta = {}): Joi.ArraySchema =>
  described(Joi.array().items(item), description, meta);

/** One of the texts; further rules apply to it, which Joi skips on a value that `.valid()` names. */
export const choice = (values: readonly string[], description: string): Joi.StringSchema =>
  text(description, { kind: `one of ${values.join(', ')}` }).custom((value: string, helpers) =>
    values.includes(value) ? value : helpers.error('any.only'),
  );

/** A key that is accepted and has no effect. */
export const ignored = (because: string, description: string): Joi.AnySchema =>
  described(Joi.any(), description, { ignored: because }).strip();
