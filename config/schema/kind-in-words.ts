import type { KeyMeta } from './kinds.ts';

interface Reference {
  readonly ref: { readonly path: readonly string[] };
}

/** The part of Joi's own description of a schema that is used here. */
export interface SchemaDescription {
  readonly type?: string;
  readonly flags?: { readonly description?: string; readonly default?: unknown; readonly only?: boolean };
  readonly allow?: readonly unknown[];
  readonly items?: readonly SchemaDescription[];
  readonly metas?: readonly KeyMeta[];
  readonly rules?: ReadonlyArray<{
    readonly name: string;
    readonly args?: { readonly limit?: number | Reference };
  }>;
}

/** The kind of value that a schema accepts, e.g. `a whole number, at least 1`. */
export function kindInWords(shape: SchemaDescription): string {
  if (shape.type === 'boolean') return 'true or false';
  if (shape.type === 'array') return `a list of ${itemsInWords(shape.items?.at(-1))}`;
  if (shape.flags?.only === true) return `one of ${(shape.allow ?? []).join(', ')}`;
  if (shape.type === 'number') return ['a whole number', ...limitsInWords(shape)].join(', ');
  return shape.type === 'string' ? 'text' : 'anything';
}

function itemsInWords(item: SchemaDescription | undefined): string {
  return item?.flags?.only === true ? (item.allow ?? []).join(' and ') : 'texts';
}

const limitWords: Readonly<Record<string, string>> = { min: 'at least', max: 'at most', less: 'less than' };

function limitsInWords(shape: SchemaDescription): string[] {
  return (shape.rules ?? []).flatMap(({ name, args }) => {
    const words = limitWords[name];
    if (words === undefined || args?.limit === undefined) return [];
    return [`${words} ${typeof args.limit === 'number' ? args.limit : args.limit.ref.path.join('.')}`];
  });
}
