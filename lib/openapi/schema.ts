import type Joi from 'joi';
import type { JsonSchema, Parameter } from './types.ts';

/*
 * Joi translates its schemas itself (Standard JSON Schema). Added here is what it leaves out: what `.meta({jsonSchema: …})`
 * says of a rule in code, and that bodies may have members that a route does not know.
 */

/** The JSON Schema of what a Joi schema takes. */
export function jsonSchemaOf(schema: Joi.Schema): JsonSchema {
  const { keys, metas = [], preferences } = schema.describe();
  const json = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  const known = metas.map((meta: { readonly jsonSchema?: JsonSchema }) => meta.jsonSchema);
  const whole = Object.assign({}, json, ...known);
  if (keys === undefined) return whole;
  const { additionalProperties, ...rest } = whole;
  const properties = Object.fromEntries(
    Object.keys(keys).map((name) => [name, jsonSchemaOf(schema.extract(name))]),
  );
  const strict = preferences?.stripUnknown !== true;
  return { ...rest, properties, ...(strict && { additionalProperties }) };
}

/** The members of a Joi object as parameters of the query; those that are forbidden there are left out. */
export function queryParameters(schema: Joi.ObjectSchema): Parameter[] {
  const keys: Readonly<Record<string, Joi.Description>> = schema.describe().keys;
  return Object.entries(keys)
    .filter(([, { flags }]) => presenceOf(flags) !== 'forbidden')
    .map(([name, { flags }]) => {
      const { description, ...json } = jsonSchemaOf(schema.extract(name));
      if (typeof description !== 'string') throw new Error(`The parameter ${name} has no description.`);
      return { name, in: 'query', required: presenceOf(flags) === 'required', description, schema: json };
    });
}

function presenceOf(flags: object | undefined): unknown {
  return flags === undefined ? undefined : Reflect.get(flags, 'presence');
}
