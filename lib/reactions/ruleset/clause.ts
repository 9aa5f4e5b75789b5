import type { Json, JsonObject } from '../../json/types.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import { type ClauseNode, type Operand, type Operator, operators } from '../types.ts';
import { warnOfSenseless } from './clause-warnings.ts';
import { isObject } from './json.ts';
import { warnOfMissing } from './missing-condition.ts';
import { hintFor } from './operator.ts';
import { type CheckedPath, leadsToNoValue, readPath } from './path.ts';
import { placeBelow } from './place.ts';
import { type Report, toldOf } from './report.ts';
import { shapeAt, type ValueKind } from './shape.ts';
import { warnOfUnknown } from './unknown.ts';

/** The longest pattern of `like`, in characters: it bounds the time of a comparison. */
const maxPattern = 256;

export interface ClauseContext {
  readonly report: Report;
  readonly version: XapiVersion;
  /** The names of all conditions. */
  readonly conditions: ReadonlySet<string>;
}

/** A comparison's operand and its kind; null below an extension is of any kind. */
interface CheckedOperand {
  readonly operand: Operand;
  readonly kind: ValueKind | 'null';
  readonly place: string;
}

/** The members of a comparison. */
export const clauseMembers: readonly string[] = ['path', 'op', 'val', 'ref'];

/** Reads a comparison; reports what is wrong with it. */
export function readClause(value: JsonObject, place: string, context: ClauseContext): ClauseNode | undefined {
  const { report } = context;
  warnOfUnknown(value, { known: clauseMembers, others: ['and', 'or', 'not'] }, place, report);
  const path = readPath(value.path, placeBelow(place, 'path'), context);
  const op = readOperator(value.op, placeBelow(place, 'op'), report);
  const operand = readOperand(value, place, context);
  if (path === undefined || op === undefined || operand === undefined) return undefined;
  if (
    op === 'contains'
      ? !fitsContains(path, operand, place, context)
      : !fits(path, op, operand, place, context)
  )
    return undefined;
  const kinds = [path.kind, operand.kind];
  warnOfSenseless({ path: path.path, op, operand: operand.operand, kinds, place }, report);
  return { kind: 'clause', path: path.path, op, operand: operand.operand, place };
}

function readOperator(value: Json | undefined, place: string, report: Report): Operator | undefined {
  const op = operators.find((name) => name === value);
  if (op !== undefined) return op;
  return report.refuse(place, 'operator', `must be one of ${operators.join(', ')}${hintFor(value)}`);
}

function readOperand(value: JsonObject, place: string, context: ClauseContext): CheckedOperand | undefined {
  const { report } = context;
  const { val, ref } = value;
  if (val === undefined) {
    if (ref !== undefined) return readReference(ref, placeBelow(place, 'ref'), context);
    return report.refuse(place, 'structure', 'must have `val`, a value, or `ref`, a reference');
  }
  if (ref !== undefined) report.warn(placeBelow(place, 'ref'), 'unused-member', 'has no effect beside `val`');
  const at = placeBelow(place, 'val');
  if (typeof val === 'object' && val !== null)
    return report.refuse(at, 'value', 'must be a string, a number, true, false or null');
  const kind = val === null ? 'null' : (typeof val as ValueKind);
  return { operand: { kind: 'value', value: val }, kind, place: at };
}

function readReference(
  value: Json,
  place: string,
  { report, version, conditions }: ClauseContext,
): CheckedOperand | undefined {
  if (!isObject(value))
    return report.refuse(
      place,
      'structure',
      'must be an object with `condition` and `path`, e.g. {"condition":"quiz","path":["verb","id"]}',
    );
  warnOfUnknown(value, { known: ['condition', 'path'] }, place, report);
  const { condition } = value;
  const path = readPath(value.path, placeBelow(place, 'path'), { report, version });
  const named = placeBelow(place, 'condition');
  if (typeof condition !== 'string')
    return report.refuse(named, 'structure', `${toldOf(condition)} the name of a condition, as text`);
  if (!conditions.has(condition)) warnOfMissing(condition, named, conditions, report);
  if (path === undefined) return undefined;
  if (path.kind === 'object' || path.kind === 'array')
    return report.refuse(placeBelow(place, 'path'), 'path', leadsToNoValue(path, version));
  return { operand: { kind: 'reference', condition, path: path.path }, kind: path.kind, place };
}

function fits(
  { path, kind }: CheckedPath,
  op: Operator,
  operand: CheckedOperand,
  place: string,
  { report, version }: ClauseContext,
): boolean {
  const at = placeBelow(place, 'path');
  if (kind === 'object' || kind === 'array') {
    report.refuse(at, 'path', leadsToNoValue({ path, kind }, version));
    return false;
  }
  if (op === 'like') return fitsLike(kind, operand, at, report);
  return fitsKind(kind, operand, report);
}

function fitsLike(
  kind: ValueKind,
  { operand, ...given }: CheckedOperand,
  at: string,
  report: Report,
): boolean {
  if (given.kind !== 'string' && !(given.kind === 'any' && operand.kind === 'reference')) {
    const leads = `leads to a ${given.kind}, and \`like\` compares text`;
    const message = operand.kind === 'reference' ? leads : '`like` compares with text: a string with % and _';
    report.refuse(given.place, 'type', message);
    return false;
  }
  if (kind !== 'string' && kind !== 'any') {
    report.refuse(at, 'type', `leads to a ${kind}, and \`like\` compares text`);
    return false;
  }
  if (operand.kind === 'value' && typeof operand.value === 'string' && operand.value.length > maxPattern) {
    report.refuse(given.place, 'limit', `must not be longer than ${maxPattern} characters`);
    return false;
  }
  return true;
}

function fitsContains(
  { path, kind }: CheckedPath,
  operand: CheckedOperand,
  place: string,
  { report, version }: ClauseContext,
): boolean {
  if (kind === 'any') return true;
  const item = shapeAt(path, version)?.item;
  if (item === undefined) {
    report.refuse(placeBelow(place, 'path'), 'type', 'leads to no array, and `contains` looks into an array');
    return false;
  }
  if (item.kind !== 'object') return fitsKind(item.kind, operand, report);
  report.warn(
    placeBelow(place, 'path'),
    'never-true',
    'leads to an array of objects, which contains no single value: the comparison is never true',
  );
  return true;
}

function fitsKind(kind: ValueKind, { operand, kind: given, place }: CheckedOperand, report: Report): boolean {
  if (kind === 'any' || given === kind || given === 'any') return true;
  if (given === 'null') {
    report.refuse(
      place,
      'type',
      `must be a ${kind}: only a value below \`extensions\` can be null, and no comparison finds statements without a value`,
    );
    return false;
  }
  const leads = `leads to a ${given}, and the value at \`path\` is a ${kind}: both must have one type`;
  const message = operand.kind === 'reference' ? leads : `must be a ${kind}, as the value at the path is`;
  report.refuse(place, 'type', message);
  return false;
}
