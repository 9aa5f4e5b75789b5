import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import type { JsonObject as LibObject } from '../../../../../lib/json/types.ts';
import { isPlaceholder, pathMember } from '../../../../../lib/reactions/ruleset/placeholder.ts';
import { kindAt, type ValueKind } from '../../../../../lib/reactions/ruleset/shape.ts';
import type { XapiVersion } from '../../../../../lib/xapi/types.ts';
import { isObject } from '../../../xapi/json-edit.ts';
import { asScalar, type ScalarType, scalarType, scalarTypes } from './scalar-input.tsx';

/** What stands at a place of a template: a value of a matched statement, or JSON of some type. */
export type TemplateKind = 'path' | 'object' | 'array' | ScalarType;

export const templateKinds: readonly TemplateKind[] = ['path', 'object', 'array', ...scalarTypes];

export function isScalar(kind: TemplateKind): kind is ScalarType {
  return kind !== 'path' && kind !== 'object' && kind !== 'array';
}

export function templateKind(value: unknown): TemplateKind {
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return isPlaceholder(value as LibObject) ? 'path' : 'object';
  return scalarType(value) ?? 'null';
}

interface Surroundings {
  /** Where it stands in the statement. */
  readonly path: PropertyPath;
  /** The conditions. */
  readonly names: readonly string[];
  readonly version: XapiVersion;
}

/** The same place with something of another kind in it. */
export function asTemplateKind(value: unknown, kind: TemplateKind, { path, names, version }: Surroundings) {
  if (kind === templateKind(value)) return value;
  switch (kind) {
    case 'path':
      // Most often the value comes from the same place of another statement.
      return { [pathMember]: [names.at(-1) ?? '', ...(kindAt(path, version) === undefined ? [] : path)] };
    case 'object':
      return {};
    case 'array':
      return [];
    default:
      return asScalar(value, kind);
  }
}

/** What begins where a value of a kind is wanted. */
export function emptyOf(kind: ValueKind | undefined): unknown {
  switch (kind) {
    case 'object':
      return {};
    case 'array':
      return [];
    case 'number':
      return 0;
    case 'boolean':
      return true;
    default:
      return '';
  }
}
