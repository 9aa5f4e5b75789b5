import type Joi from 'joi';
import { kindInWords, type SchemaDescription } from './kind-in-words.ts';
import type { KeyMeta } from './kinds.ts';
import { groups } from './settings.ts';

/** One key of the configuration, as the loader, the messages and the documentation see it. */
export interface Key {
  readonly name: string;
  readonly group: string;
  readonly meta: KeyMeta;
  readonly description: string;
  /** The kind of value in words, e.g. `a whole number, at least 1`. */
  readonly kind: string;
  readonly takesList: boolean;
  /** The default as Joi holds it; undefined without one. */
  readonly default: unknown;
  /** Environment names without prefix, the regular one first, e.g. `HTTP_PORT`. */
  readonly envNames: readonly [string, ...string[]];
}

export const groupNames: readonly string[] = Object.keys(groups);

/** All keys by name, in the order of the schema. */
export const keys: ReadonlyMap<string, Key> = new Map(
  Object.entries(groups).flatMap(([group, schemas]) =>
    Object.entries<Joi.Schema>(schemas).map(
      ([name, schema]) => [name, readKey(group, name, schema)] as const,
    ),
  ),
);

/** Whether the key has an effect in this release. */
export const hasEffect = (key: Key): boolean => key.meta.ignored === undefined;

function readKey(group: string, name: string, schema: Joi.Schema): Key {
  const shape: SchemaDescription = schema.describe();
  const meta: KeyMeta = Object.assign({}, ...(shape.metas ?? []));
  const regular = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return {
    name,
    group,
    meta,
    description: shape.flags?.description ?? '',
    kind: meta.kind ?? kindInWords(shape),
    takesList: shape.type === 'array',
    default: shape.flags?.default,
    envNames: meta.env === undefined ? [regular] : [regular, meta.env],
  };
}
