import type Joi from 'joi';
import { type ErrorDetail, InvalidError } from './errors.ts';

/** With `false`, messages name a parameter without quotes. */
const labels = { errors: { wrap: { label: false } } } as const;

/** Schemas with the options of `checked`: Joi completes options that belong to a schema once, others in every call. */
const complete = new WeakMap<Joi.Schema, Joi.Schema>();

/** Most entries of a list of which every mistake is reported: to collect thousands takes long and helps nobody. */
const mostEntriesReported = 100;

/**
 * The value as the schema describes it: converted, with defaults. Every mistake is reported, of a value with long lists only
 * the first.
 * @param section where the specification has the rules, e.g. `xAPI 1.0.3 Communication 2.1.3`
 * @throws InvalidError with one detail per mistake; a detail never repeats the value, which may be a secret.
 */
export function checked<T>(schema: Joi.Schema<T>, value: unknown, section?: string): T {
  const result = hasLongList(value)
    ? schema.validate(value, { abortEarly: true, ...labels })
    : completed(schema).validate(value);
  if (result.error === undefined) {
    refuseDropped(value, result.value);
    return result.value;
  }
  const mistakes = result.error.details;
  const sentence = mistakes.map(({ message }) => message).join('; ');
  throw new InvalidError(section === undefined ? sentence : `${sentence} (${section}).`, {
    details: mistakes.map((mistake): ErrorDetail => detailOf(mistake, section)),
  });
}

/**
 * Refuses a member `__proto__`, which Joi leaves out of the objects whose members it checks, as if it were not there. Objects
 * that may have any members it passes on as they are.
 */
function refuseDropped(given: unknown, read: unknown, path: readonly (string | number)[] = []): void {
  if (given === read || !isTree(given) || !isTree(read)) return;
  if (Object.hasOwn(given, '__proto__') && !Object.hasOwn(read, '__proto__')) {
    const place = pathText([...path, '__proto__']);
    const message = 'is not allowed';
    throw new InvalidError(`${place} ${message}`, { details: [{ path: place, message }] });
  }
  for (const [name, entry] of Object.entries(read)) {
    const step = Array.isArray(read) ? Number(name) : name;
    if (isTree(entry)) refuseDropped(Reflect.get(given, name), entry, [...path, step]);
  }
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Reports all mistakes. */
function completed<T>(schema: Joi.Schema<T>): Joi.Schema<T> {
  const known = complete.get(schema) ?? schema.prefs({ abortEarly: false, ...labels });
  complete.set(schema, known);
  return known;
}

function hasLongList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((entry) => Array.isArray(entry) && entry.length > mostEntriesReported);
}

/** The sentence says what the path names already. */
function detailOf({ path, message, context }: Joi.ValidationErrorItem, section?: string): ErrorDetail {
  const label = `${context?.label} `;
  return {
    path: pathText(path),
    message: message.startsWith(label) ? message.slice(label.length) : message,
    ...(section !== undefined && { section }),
  };
}

function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
