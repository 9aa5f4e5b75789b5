import type Joi from 'joi';
import type { JsonSchema, Parameter } from './types.ts';

/*
 * Joi translates its schemas itself (Standard JSON Schema). Added here is what it leaves out: what `.meta({jsonSchema: …})`
 * says of a rule in code, and that bodies may have members that a route does not know.
 */

/** The JSON Schema of what a Joi schema takes. */
export function jsonSchemaOf(schema: Joi.Schema): JsonSchema {
  return completed(translated(schema), schema.describe());
}

/** The members of a Joi object as parameters of the query; those that are forbidden there are left out. */
export function queryParameters(schema: Joi.ObjectSchema): Parameter[] {
  const { keys }: Description = schema.describe();
  const { properties } = translated(schema);
  return Object.entries(keys ?? {})
    .filter(([, { flags }]) => presenceOf(flags) !== 'forbidden')
    .map(([name, member]) => {
      const { description, ...json } = completed(memberOf(properties, name), member);
      if (typeof description !== 'string') throw new Error(`The parameter ${name} has no description.`);
      return {
        name,
        in: 'query',
        required: presenceOf(member.flags) === 'required',
        description,
        schema: json,
      };
    });
}

/** What Joi tells about a schema and, within it, about the members of an object. */
interface Description extends Joi.Description {
  readonly keys?: Readonly<Record<string, Description>>;
}

const translated = (schema: Joi.Schema): JsonSchema =>
  schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });

function completed(json: JsonSchema, { keys, metas = [], preferences }: Description): JsonSchema {
  const known = metas.map((meta: { readonly jsonSchema?: JsonSchema }) => meta.jsonSchema);
  const whole = Object.assign({}, json, ...known);
  if (keys === undefined) return whole;
  const { additionalProperties, ...rest } = whole;
  const properties = Object.fromEntries(
    Object.entries(keys).map(([name, member]) => [name, completed(memberOf(json.properties, name), member)]),
  );
  const strict = preferences?.stripUnknown !== true;
  return { ...rest, properties, ...(strict && { additionalProperties }) };
}

/** The schema of a member; of one that is forbidden there is none. */
function memberOf(properties: unknown, name: string): JsonSchema {
  return Object(Object(properties)[name]);
}

function presenceOf(flags: object | undefined): unknown {
  return flags === undefined ? undefined : Reflect.get(flags, 'presence');
}
