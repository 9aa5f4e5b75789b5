import type { Json } from '../../json/types.ts';
import { kindAt, textKindAt } from '../ruleset/shape.ts';
import type { ClauseNode, Operator, ReactionPath } from '../types.ts';
import { containsSought } from './contains.ts';
import { spendSteps } from './effort.ts';
import { likePattern } from './like.ts';
import { type Comparable, isSame, readAs, type Type } from './read-as.ts';

/** Undefined: unknown, as a comparison with NULL is in SQL. */
export type Verdict = boolean | undefined;

/** Compares the value at the clause's path with that of its operand; undefined where there is none. */
export type Comparison = (value: Json | undefined, operand: Json | undefined) => Verdict;

/**
 * How the operator of a clause compares. A missing value makes it unknown. A value that can't be read as the type of the
 * operand differs from it, and comes neither before nor after it; so does null, which equals null alone.
 */
export function comparisonOf({ path, op, operand }: ClauseNode): Comparison {
  const type = operand.kind === 'value' ? typeWith(path, operand.value) : typeOfBoth(path, operand.path);
  if (op === 'like') return operand.kind === 'value' ? likeFixed(operand.value) : like;
  if (op === 'contains') return (value, sought) => contains(value, sought, type);
  return (value, other) => compare(op, value, other, type);
}

/** How the values at one path are compared with each other. */
export function equalityAt(path: ReactionPath): Comparison {
  const type = typeOfBoth(path, path);
  return (value, other) => compare('eq', value, other, type);
}

function typeWith(path: ReactionPath, value: Json): Type {
  const kind = itemKind(path);
  if (kind === 'number' || kind === 'boolean') return kind;
  if (kind === 'string') return textKindAt(path);
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'plain' : 'dynamic';
}

function typeOfBoth(path: ReactionPath, other: ReactionPath): Type {
  const kinds = [itemKind(path), kindAt(other, '2.0.0')];
  const kind = kinds.find((each) => each === 'number' || each === 'boolean' || each === 'string');
  if (kind !== 'string') return kind === 'number' || kind === 'boolean' ? kind : 'dynamic';
  return [textKindAt(path), textKindAt(other)].find((text) => text !== 'plain') ?? 'plain';
}

/** What is at a path, or in the array that is there. */
function itemKind(path: ReactionPath): ReturnType<typeof kindAt> {
  const kind = kindAt(path, '2.0.0');
  return kind === 'array' ? kindAt([...path, 0], '2.0.0') : kind;
}

function compare(op: Operator, value: Json | undefined, other: Json | undefined, type: Type): Verdict {
  if (value === undefined || other === undefined) return undefined;
  if (value === null || other === null) return differing(op, value === other);
  const [left, right] = [readAs(value, type), readAs(other, type)];
  if (type === 'instant' && right === undefined) return undefined;
  if (left === undefined || right === undefined || typeof left !== typeof right) return differing(op, false);
  switch (op) {
    case 'eq':
      return isSame(left, right);
    case 'noteq':
      return !isSame(left, right);
    default:
      return inOrder(op, order(left, right));
  }
}

/** Of values that have no order. */
function differing(op: Operator, same: boolean): Verdict {
  if (op === 'eq') return same;
  return op === 'noteq' ? !same : undefined;
}

function inOrder(op: Operator, sign: number): Verdict {
  switch (op) {
    case 'gt':
      return sign > 0;
    case 'gte':
      return sign >= 0;
    case 'lt':
      return sign < 0;
    case 'lte':
      return sign <= 0;
    default:
      return undefined;
  }
}

function order(left: Comparable, right: Comparable): number {
  if (typeof left === 'string' && typeof right === 'string') return textOrder(left, right);
  return Number(left) - Number(right);
}

/** By Unicode code points, as databases order text that is compared byte by byte. */
export function textOrder(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  spendSteps(2 * at);
  if (at === length) return left.length - right.length;
  return placeOf(left.charCodeAt(at)) - placeOf(right.charCodeAt(at));
}

/** Surrogates stand for code points beyond all others. */
function placeOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The pattern is known beforehand. */
function likeFixed(pattern: Json): Comparison {
  const test = typeof pattern === 'string' ? likePattern(pattern) : undefined;
  return (value) => (value === undefined ? undefined : testOf(value, test));
}

function like(value: Json | undefined, pattern: Json | undefined): Verdict {
  if (value === undefined || typeof pattern !== 'string') return undefined;
  return testOf(value, likePattern(pattern));
}

function testOf(value: Json, test: ReturnType<typeof likePattern>): Verdict {
  const text = readAs(value, 'plain');
  return typeof text === 'string' ? test?.(text) : undefined;
}

function contains(value: Json | undefined, sought: Json | undefined, type: Type): Verdict {
  if (!Array.isArray(value) || sought === undefined) return undefined;
  return containsSought(value, sought, type);
}
