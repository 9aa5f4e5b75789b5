import type { Json } from '../../json/types.ts';
import { isTimestamp, timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { TextKind } from '../ruleset/shape.ts';
import { spendSteps } from './effort.ts';

/** As what values are compared: what an extension holds as what it is compared with. */
export type Type = 'number' | 'boolean' | 'dynamic' | TextKind;

/** A value that was read as a type: those of one type can be compared. */
export type Comparable = number | string | boolean;

/** Undefined where the value can't be read as the type. */
export function readAs(value: Json, type: Type): Comparable | undefined {
  if (value === null || typeof value === 'object') return undefined;
  switch (type) {
    case 'dynamic':
      return value;
    case 'number':
      return typeof value === 'string' ? numberOf(value) : numberOnly(value);
    case 'boolean':
      return value === true || value === 'true' || (value === false || value === 'false' ? false : undefined);
    case 'plain':
      return printed(value);
    case 'uuid':
      return lowerCase(printed(value));
    case 'instant':
      return instantOf(printed(value));
  }
}

const stepsToPrintNumber = 60;

function printed(value: Comparable): string {
  if (typeof value === 'number') spendSteps(stepsToPrintNumber);
  return String(value);
}

const number = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;
/** Longer texts are ruled out, or read, in the same time. */
const longestNumber = 40;

function numberOf(text: string): number | undefined {
  spendSteps(25 + Math.ceil(2.5 * Math.min(text.length, longestNumber)));
  return number.test(text) ? Number(text) : undefined;
}

function numberOnly(value: number | boolean): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const notAscii = /[\u0080-\uffff]/;
/** Beside one to look at it. Some characters become several. */
const stepsToLowerNotAscii = 9;

function lowerCase(text: string): string {
  spendSteps(20 + text.length);
  if (notAscii.test(text)) spendSteps(text.length * stepsToLowerNotAscii);
  return text.toLowerCase();
}

const longestInstant = 64;
const stepsToTestInstant = 100;
const stepsToReadInstant = 300;

/** Finer than a microsecond, moments count as the same. */
function instantOf(text: string): number | undefined {
  if (text.length > longestInstant) return undefined;
  spendSteps(stepsToTestInstant);
  if (!isTimestamp(text, '1.0.3') && !isTimestamp(text, '2.0.0')) return undefined;
  spendSteps(stepsToReadInstant);
  return timestampToMicroseconds(text);
}

const charactersPerStep = 16;

/** The steps to test two texts of one length for equality, beside those that any value takes. */
export function stepsForSame(length: number): number {
  return Math.floor(length / charactersPerStep);
}

/** Only texts of one length are compared character by character. */
export function isSame(left: Comparable, right: Comparable): boolean {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length)
    spendSteps(stepsForSame(left.length));
  return left === right;
}
