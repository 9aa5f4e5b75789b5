import { isTimestamp } from '../../xapi/timestamp.ts';
import type { Operand, Operator, ReactionPath, Scalar } from '../types.ts';
import { placeBelow } from './place.ts';
import type { Report } from './report.ts';
import { type NumberRange, shapeOfAnyVersion, textKindAt, type ValueKind } from './shape.ts';
import { fitsFormat, formatName } from './text-format.ts';

/** A comparison that is accepted. */
interface Comparison {
  readonly path: ReactionPath;
  readonly op: Operator;
  readonly operand: Operand;
  /** Of what is compared with what. */
  readonly kinds: readonly (ValueKind | 'null')[];
  readonly place: string;
}

const ordering: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte']);

/** Warns of a comparison that has the same outcome whatever statements are stored, or that is hardly meant. */
export function warnOfSenseless({ path, op, operand, kinds, place }: Comparison, report: Report): void {
  const at = placeBelow(place, 'op');
  if (ordering.has(op) && kinds.includes('null'))
    report.warn(at, 'never-true', `\`${op}\` of null is never true`);
  if (ordering.has(op) && kinds.includes('boolean'))
    report.warn(at, 'boolean-order', `\`${op}\` of true and false hardly makes sense; use \`eq\``);
  if (ordering.has(op) && shapeOfAnyVersion(path)?.format === 'duration')
    report.warn(
      at,
      'duration-order',
      `\`${op}\` compares durations as text, by which PT9M is greater than PT10M`,
    );
  if (operand.kind === 'value')
    warnOfValue({ path, op, value: operand.value }, placeBelow(place, 'val'), report);
}

interface ComparedValue {
  readonly path: ReactionPath;
  readonly op: Operator;
  readonly value: Scalar;
}

function warnOfValue({ path, op, value }: ComparedValue, place: string, report: Report): void {
  if (op === 'like') {
    if (typeof value === 'string' && !/[%_\\]/.test(value))
      report.warn(place, 'no-wildcard', 'has neither % nor _, so `like` is the same as `eq`');
    return;
  }
  if (textKindAt(path) === 'instant') {
    if (!isInstant(value))
      report.warn(place, 'never-true', 'is no timestamp, so the comparison is never true');
    return;
  }
  const why = whyImpossible(op === 'contains' ? [...path, 0] : path, op, value);
  if (why === undefined) return;
  if (op === 'noteq')
    report.warn(place, 'always-true', `${why}, so the comparison is always true where there is a value`);
  else report.warn(place, 'never-true', `${why}, so the comparison is never true`);
}

function isInstant(value: Scalar): boolean {
  return typeof value === 'string' && (isTimestamp(value, '1.0.3') || isTimestamp(value, '2.0.0'));
}

/** Why no stored statement has the value at the path, or one before or behind it; undefined where one may. */
export function whyImpossible(path: ReactionPath, op: Operator, value: Scalar): string | undefined {
  const { format, texts, numbers } = shapeOfAnyVersion(path) ?? {};
  if (typeof value === 'number') return numbers && whyBeyond(numbers, op, value);
  if (typeof value !== 'string' || ordering.has(op)) return undefined;
  if (format !== undefined && !fitsFormat(format, value)) return `is ${formatName(format)}`;
  if (texts === undefined || texts.includes(value)) return undefined;
  const list = texts.map((text) => JSON.stringify(text)).join(', ');
  return texts.length === 1 ? `is not ${list}` : `is none of ${list}`;
}

function whyBeyond(range: NumberRange, op: Operator, value: number): string | undefined {
  if (!isBeyond(range, op, value)) return undefined;
  const { least, greatest, isWhole = false } = range;
  return `statements have ${isWhole ? 'whole numbers' : 'numbers'} ${rangeText(least, greatest)} here`;
}

/** `gte` of the least number and `lte` of the greatest ask whether there is one. */
function isBeyond({ least, greatest, isWhole = false }: NumberRange, op: Operator, value: number): boolean {
  switch (op) {
    case 'gt':
      return value >= greatest;
    case 'gte':
      return value > greatest;
    case 'lt':
      return value <= least;
    case 'lte':
      return value < least;
    default:
      return value < least || value > greatest || (isWhole && !Number.isInteger(value));
  }
}

function rangeText(least: number, greatest: number): string {
  return Number.isFinite(greatest) ? `from ${least} to ${greatest}` : `from ${least}`;
}
