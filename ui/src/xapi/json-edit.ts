import type { PropertyPath } from '../../../lib/csv/property-paths.ts';
import { syntaxErrorOffset } from '../../../lib/json/syntax.ts';
import { indented, type JsonMember, type JsonNode, jsonNodeOf } from './json-node.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether it is an object of JSON; an instance of a class stands for a value of its own. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The value at the path; undefined where there is none. */
export function valueAt(value: unknown, path: PropertyPath): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(value)) return typeof step === 'number' ? valueAt(value[step], rest) : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? valueAt(value[step], rest) : undefined;
}

/** The same JSON with another value at the path; members that are missing on the way there are added as objects. */
export function withValue(value: unknown, path: PropertyPath, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (Array.isArray(value)) {
    return Object.assign([...value], { [step]: withValue(value[Number(step)], rest, next) });
  }
  const members = isObject(value) ? value : {};
  return { ...members, [step]: withValue(valueAt(members, [step]), rest, next) };
}

/** The same JSON without the member or item at the path. */
export function withoutValue(value: unknown, path: PropertyPath): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return undefined;
  if (rest.length > 0) return withValue(value, [step], withoutValue(valueAt(value, [step]), rest));
  if (Array.isArray(value)) return value.toSpliced(Number(step), 1);
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== step)) : value;
}

/** The same JSON where the member at the path has another name, in its old place. */
export function withName(value: unknown, path: PropertyPath, name: string): unknown {
  const owner = path.slice(0, -1);
  const members = valueAt(value, owner);
  if (!isObject(members)) return value;
  const renamed = Object.entries(members).map(([key, each]) => [key === path.at(-1) ? name : key, each]);
  return withValue(value, owner, Object.fromEntries(renamed));
}

/** Characters that a line of JSON may have before it is broken. */
const lineWidth = 48;

/** JSON for people to read and edit. */
export function jsonText(value: unknown): string {
  return indented(jsonNodeOf(JSON.stringify(value)), '', lineWidth);
}

/** Where a text stops being JSON, or names a member again. Lines and columns count from 1, the offset from 0. */
export interface JsonMistake {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** The name of a member that its object has before; of two values one would be lost. */
  readonly twice?: { readonly name: string; readonly length: number };
}

/** The value of a JSON text, or its first mistake. */
export function parsed(text: string): { readonly value: unknown } | { readonly mistake: JsonMistake } {
  try {
    const value: unknown = JSON.parse(text);
    const again = memberTwice(text);
    if (again === undefined) return { value };
    const { key, source, offset } = again;
    return { mistake: { ...placeOf(text, offset), twice: { name: key, length: source.length } } };
  } catch {
    return { mistake: placeOf(text, syntaxErrorOffset(text)) };
  }
}

function placeOf(text: string, offset: number): Pick<JsonMistake, 'offset' | 'line' | 'column'> {
  const lines = text.slice(0, offset).split('\n');
  return { offset, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** The first member whose name its object has before. */
function memberTwice(text: string): JsonMember | undefined {
  const found: JsonMember[] = [];
  const visit = (node: JsonNode): void => {
    if (node.kind === 'array') node.items.forEach(visit);
    if (node.kind !== 'object') return;
    const keys = new Set<string>();
    for (const member of node.members) {
      if (keys.has(member.key)) found.push(member);
      keys.add(member.key);
      visit(member.value);
    }
  };
  visit(jsonNodeOf(text));
  return found.toSorted((a, b) => a.offset - b.offset)[0];
}
