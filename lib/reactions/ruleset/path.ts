import type { Json } from '../../json/types.ts';
import { likelyMeant } from '../../nearest.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import type { ReactionPath } from '../types.ts';
import { placeBelow, shownPath, stepsOf } from './place.ts';
import { type Report, toldOf } from './report.ts';
import { kindAt, membersAt, shapeOfAnyVersion, type ValueKind } from './shape.ts';
import { fitsFormat, formatName } from './text-format.ts';

/** The longest path within an extension. */
const maxSteps = 32;
/** Longer names are cut in messages. */
const shownLength = 80;

/** A path that was checked, and what it leads to. */
export interface CheckedPath {
  readonly path: ReactionPath;
  readonly kind: ValueKind;
}

/** Reads a path and checks that statements may have something there; reports what is wrong with it. */
export function readPath(
  value: Json | undefined,
  place: string,
  { report, version }: { readonly report: Report; readonly version: XapiVersion },
): CheckedPath | undefined {
  if (!Array.isArray(value)) {
    const written = typeof value === 'string' ? writtenOut(value, version) : '';
    const hint = written === '' ? ', e.g. ["verb","id"]' : written;
    return report.refuse(place, 'path', `${toldOf(value)} an array of member names and indexes${hint}`);
  }
  if (value.length === 0)
    return report.refuse(place, 'path', 'must not be empty: name the value, e.g. ["verb", "id"]');
  if (value.length > maxSteps)
    return report.refuse(place, 'limit', `must not have more than ${maxSteps} steps`);
  const path: (string | number)[] = [];
  for (const [index, step] of value.entries()) {
    if (typeof step !== 'string' && !(typeof step === 'number' && Number.isSafeInteger(step) && step >= 0))
      return report.refuse(placeBelow(place, index), 'path', 'must be a member name or an index from 0');
    path.push(step);
    if (kindAt(path, version) === undefined)
      return report.refuse(placeBelow(place, index), 'path', notThere(path, value, version));
  }
  warnOfNames(path, place, report);
  return { path, kind: kindAt(path, version) ?? 'object' };
}

/** Warns of the name of an extension, or of a language, that no stored statement has. */
function warnOfNames(path: ReactionPath, place: string, report: Report): void {
  for (const [index, step] of path.entries()) {
    const { names } = shapeOfAnyVersion(path.slice(0, index)) ?? {};
    if (names === undefined || fitsFormat(names, String(step))) continue;
    const message = `is ${formatName(names)}, so no statement has a value here`;
    report.warn(placeBelow(place, index), 'no-value', message);
  }
}

/** Reads a path that leads to a single value; reports what is wrong with it. */
export function readScalarPath(
  value: Json | undefined,
  place: string,
  context: { readonly report: Report; readonly version: XapiVersion },
): CheckedPath | undefined {
  const checked = readPath(value, place, context);
  if (checked === undefined || (checked.kind !== 'object' && checked.kind !== 'array')) return checked;
  return context.report.refuse(place, 'path', leadsToNoValue(checked, context.version));
}

/** Completes `path X …`: what may follow where a path stops too early. */
export function leadsToNoValue({ path, kind }: CheckedPath, version: XapiVersion): string {
  const what = kind === 'array' ? 'an array' : 'an object';
  return `leads to ${what}, not to a single value; ${whatFollows(path, version)}`;
}

function whatFollows(path: ReactionPath, version: XapiVersion): string {
  if (kindAt(path, version) === 'array') return 'an index such as 0 must follow';
  const names = membersAt(path, version);
  return names.length === 0 ? 'a name must follow' : `one of ${names.join(', ')} must follow`;
}

/** The path's last step leads nowhere: says what is there instead. */
function notThere(
  path: ReactionPath,
  whole: readonly Json[],
  version: XapiVersion,
  prefix: ReactionPath = [],
): string {
  const before = path.slice(0, -1);
  const last = path.at(-1) ?? '';
  const shown = JSON.stringify(last).slice(0, shownLength);
  const where = before.length === 0 ? 'a statement' : shownPath(before);
  const written = before.length === 0 && whole.length === 1 ? writtenOut(String(last), version, prefix) : '';
  if (written !== '') return `${shown} is no member of a statement${written}`;
  const kind = kindAt(before, version);
  if (kind === 'array') return `${where} is an array: an index such as 0 must follow, not ${shown}`;
  if (kind !== 'object') return `${where} is a single value: nothing may follow it`;
  const names = membersAt(before, version);
  if (names.length === 0) return `${where} has names, no indexes`;
  const meant = likelyMeant(String(last), names);
  const hint =
    meant === undefined
      ? `its members are ${names.join(', ')}`
      : `the nearest path is ${JSON.stringify([...prefix, ...before, meant])}`;
  return `${shown} is no member of ${where}; ${hint}`;
}

/** How a path that was written as one text is written here. */
function writtenOut(text: string, version: XapiVersion, prefix: ReactionPath = []): string {
  const steps = stepsOf(text);
  const legal = steps !== undefined && kindAt(steps, version) !== undefined;
  return legal && steps.length + (text.startsWith('$') ? 1 : 0) > 1
    ? `: write ${JSON.stringify([...prefix, ...(steps ?? [])])}`
    : '';
}

/** Whether a list of paths is a path itself, as it is where the brackets around it are missing. */
export function isSinglePath(value: readonly Json[], version: XapiVersion): boolean {
  return isSteps(value) && value.length > 1 && kindAt(value, version) !== undefined;
}

/** Why a path leads to nothing that a statement may have, and the nearest one that does, behind the steps before it. */
export function whyNowhere(steps: readonly Json[], version: XapiVersion, before: ReactionPath): string {
  const isThere = (length: number): boolean => {
    const path = steps.slice(0, length);
    return isSteps(path) && kindAt(path, version) !== undefined;
  };
  const length = steps.findIndex((_, index) => !isThere(index + 1)) + 1;
  const path = steps.slice(0, length);
  return isSteps(path)
    ? notThere(path, steps, version, before)
    : 'has a step that is neither a name nor an index';
}

function isSteps(value: readonly Json[]): value is ReactionPath {
  return value.every((step) => typeof step === 'string' || typeof step === 'number');
}
