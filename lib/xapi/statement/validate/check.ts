import { type Inspection, quoted, type Step } from './inspection.ts';
import type { Subject } from './section.ts';
import { suggestion } from './suggestion.ts';

/** Reports to the inspection each rule that the value breaks, and tells whether there was none. */
export type Check<T> = (value: unknown, inspection: Inspection) => value is T;

/** A check whose type has been forgotten. */
type AnyCheck = (value: unknown, inspection: Inspection) => boolean;

/** Checks what lies one step below the value at hand. */
export function checkBelow(step: Step, value: unknown, check: AnyCheck, inspection: Inspection): void {
  inspection.enter(step);
  check(value, inspection);
  inspection.leave();
}

export interface Required<T> {
  readonly required: Check<T>;
}

/** Marks a property that must be there. */
export function required<T>(check: Check<T>): Required<T> {
  return { required: check };
}

/** One check for each property of `T`, marked `required` exactly when the property is not optional in `T`. */
export type Properties<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K>
    ? Check<Exclude<T[K], undefined>>
    : Required<T[K]>;
};

export interface ObjectRules<T> {
  /** What the object is called in messages, e.g. `a Verb`. */
  readonly noun: string;
  readonly subject: Subject;
  readonly properties: Properties<T>;
  /** Why a property that one might expect here is not permitted. */
  readonly forbidden?: Readonly<Record<string, string>>;
  /** The rules that concern several properties; run after each has been checked on its own. */
  readonly across?: (value: Readonly<Record<string, unknown>>, inspection: Inspection) => void;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A check for an object with exactly the properties of `T` (xAPI 1.0.3 Data 2.2). */
export function objectOf<T>(rules: ObjectRules<T>): Check<T> {
  const properties: [string, AnyCheck | { required: AnyCheck }][] = Object.entries(rules.properties);
  const checks = new Map(properties.map(([key, it]) => [key, typeof it === 'function' ? it : it.required]));
  const requiredKeys = properties.filter(([, it]) => typeof it !== 'function').map(([key]) => key);

  function refuseKey(key: string, inspection: Inspection): void {
    const reason = Object.hasOwn(rules.forbidden ?? {}, key) ? rules.forbidden?.[key] : undefined;
    const hint = reason === undefined ? suggestion(key, checks.keys()) : `: ${reason}`;
    inspection.refuse('formatting', `is not a property of ${rules.noun}${hint}`, key);
  }

  return (value, inspection): value is T => {
    if (!isObject(value))
      return inspection.mismatch(rules.subject, `must be ${rules.noun}, an object`, value);
    const before = inspection.problems;
    for (const key in value) {
      const check = checks.get(key);
      const property = value[key];
      if (check === undefined) refuseKey(key, inspection);
      else if (property === null) inspection.refuse('formatting', 'must not be null', key);
      else checkBelow(key, property, check, inspection);
    }
    for (const key of requiredKeys) {
      if (value[key] === undefined) inspection.refuse(rules.subject, `is required in ${rules.noun}`, key);
    }
    rules.across?.(value, inspection);
    return inspection.problems === before;
  };
}

/** The same check, made once of an object that several statements share. */
export function onceOf<T>(check: Check<T>): Check<T> {
  const passed = { '1.0.3': Symbol('passes 1.0.3'), '2.0.0': Symbol('passes 2.0.0') };
  return (value, inspection): value is T => {
    const { trees, version } = inspection;
    if (trees === undefined || !isObject(value)) return check(value, inspection);
    if (trees.isMarked(value, passed[version])) return true;
    const passes = check(value, inspection);
    if (passes) trees.mark(value, passed[version]);
    return passes;
  };
}

export interface ArrayRules {
  /** What the array holds, e.g. `Agents`. */
  readonly noun: string;
  readonly subject: Subject;
  readonly atLeastOne?: boolean;
}

/** A check for an array whose elements each pass the check. */
export function arrayOf<T>(check: Check<T>, rules: ArrayRules): Check<readonly T[]> {
  return (value, inspection): value is readonly T[] => {
    if (!Array.isArray(value))
      return inspection.mismatch(rules.subject, `must be an array of ${rules.noun}`, value);
    if (rules.atLeastOne && value.length === 0) return inspection.refuse(rules.subject, 'must not be empty');
    const before = inspection.problems;
    for (let index = 0; index < value.length; index++) {
      checkBelow(index, value[index], check, inspection);
    }
    return inspection.problems === before;
  };
}

/** A check for a string in a format; the expectation completes a sentence, e.g. `must be a UUID`. */
export function textOf(
  isValid: (text: string, version: Inspection['version']) => boolean,
  subject: Subject,
  expectation: string,
): Check<string> {
  return (value, inspection): value is string =>
    (typeof value === 'string' && isValid(value, inspection.version)) ||
    inspection.mismatch(subject, expectation, value);
}

/** A check for one of a few fixed strings. */
export function oneOf<T extends string>(names: readonly T[], subject: Subject): Check<T> {
  const known = new Set<unknown>(names);
  return (value, inspection): value is T => {
    if (known.has(value)) return true;
    const expectation = `must be ${disjunction(names.map((name) => quoted(name)))}`;
    if (typeof value !== 'string') return inspection.mismatch(subject, expectation, value);
    return inspection.refuse(subject, `${expectation}, not ${quoted(value)}${suggestion(value, names)}`);
  };
}

/** E.g. `a, b or c`. */
function disjunction(choices: readonly string[]): string {
  const [last = '', ...others] = choices.toReversed();
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}
