import type { Answer, JsonSchema } from '../types.ts';

/* What the schemas of answers have in common. */

/** An answer in JSON. */
export function answerOf(description: string, schema: JsonSchema): Answer {
  return { description, content: { 'application/json': schema } };
}

/** An object with these members, all of them there unless `optional` names them. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function componentOf(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export const text: JsonSchema = { type: 'string' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const flag: JsonSchema = { type: 'boolean' };
export const idSchema: JsonSchema = { type: 'string', format: 'uuid' };
export const timeSchema: JsonSchema = { type: 'string', format: 'date-time' };

export const accountSchema = objectOf({ 'account-id': idSchema, username: text });
