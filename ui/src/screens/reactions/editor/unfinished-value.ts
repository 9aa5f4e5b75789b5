import { isObject, type JsonObject } from '../../../xapi/json-edit.ts';

/** Stands in a ruleset for a value that is not given yet: the form keeps its type and what is typed, the JSON has null. */
export class UnfinishedValue {
  readonly type: 'number' | 'boolean';
  readonly text: string;

  constructor(type: 'number' | 'boolean', text = '') {
    this.type = type;
    this.text = text;
  }

  toJSON(): null {
    return null;
  }
}

const decimal = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** Such as 1,000: a thousand for some, one for others. */
const ambiguous = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** The number that a text says, with a decimal point or comma; undefined where it says none, or could be read as two. */
export function numberOf(text: string): number | undefined {
  const whole = text.trim();
  if (!decimal.test(whole) || ambiguous.test(whole)) return undefined;
  const number = Number(whole.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** Whether the text is more than the beginning of a number, and so no more typing makes it one. */
export function isRefused(text: string): boolean {
  return !/^[+-]?(?:\d+(?:[.,]\d*)?|[.,]?\d*)(?:e[+-]?)?$/i.test(text.trim()) || ambiguous.test(text.trim());
}

/** Whether a value is missing somewhere in a ruleset. */
export function hasUnfinished(value: unknown): boolean {
  if (value instanceof UnfinishedValue) return true;
  if (Array.isArray(value)) return value.some(hasUnfinished);
  return isObject(value) && Object.values(value).some(hasUnfinished);
}

/** The ruleset that a text says, where a value is still missing whose place has null in it. */
export function withUnfinished(value: unknown, before: unknown): unknown {
  if (before instanceof UnfinishedValue) return value === null ? before : value;
  if (!hasUnfinished(before)) return value;
  if (Array.isArray(value) && Array.isArray(before))
    return value.map((item, index) => withUnfinished(item, before[index]));
  return isObject(value) && isObject(before) ? membersWith(value, before) : value;
}

function membersWith(value: JsonObject, before: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withUnfinished(member, Object.hasOwn(before, name) ? before[name] : undefined),
    ]),
  );
}
