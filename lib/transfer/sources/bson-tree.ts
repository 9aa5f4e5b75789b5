import {
  type Binary,
  BSONValue,
  type Decimal128,
  type Double,
  type Int32,
  type Long,
  type ObjectId,
} from 'bson';
import { InvalidError } from '../../errors.ts';
import { markedNumber } from '../../json/numbers.ts';

type KnownValue = Binary | Decimal128 | Double | Int32 | Long | ObjectId;

/** Levels that documents of MongoDB may have (MongoDB Limits and Thresholds, Nested Depth for BSON Documents). */
const deepest = 100;

/**
 * A tree of BSON values as `printJson` prints it, with each number as exact as it was: integers of 64 bits and decimals of 128
 * bits have more digits than numbers of JavaScript. Names get the dots back that MongoDB does not permit in them.
 * @param marked whether numbers are marked in it already, as in the `source` of a text that was parsed.
 * @throws InvalidError for what JSON has no form for, and for more levels than MongoDB permits.
 */
export function jsonTree(tree: unknown, marked: boolean): unknown {
  return treeAt(0, tree, marked);
}

/** @param level of the lists and objects around it; recursion is as deep. */
function treeAt(level: number, tree: unknown, marked: boolean): unknown {
  switch (typeof tree) {
    case 'string':
      if (marked || !tree.includes('\0')) return tree;
      throw new InvalidError('it has a text with U+0000');
    case 'number':
      return exactNumber(tree);
    case 'bigint':
      return markedNumber(String(tree));
    case 'object':
      return tree === null ? null : objectTree(level + 1, tree, marked);
    default:
      return tree;
  }
}

function exactNumber(value: number): unknown {
  if (!Number.isFinite(value))
    throw new InvalidError(`it has the number ${value}, which JSON has no form for (RFC 8259 6)`);
  return Object.is(value, -0) ? markedNumber('-0') : value;
}

function objectTree(level: number, tree: object, marked: boolean): unknown {
  if (level > deepest) {
    throw new InvalidError(`it is nested deeper than ${deepest} levels, which MongoDB does not permit`);
  }
  if (Array.isArray(tree)) return tree.map((each) => treeAt(level, each, marked));
  if (tree instanceof Date && !Number.isNaN(tree.getTime())) return tree.toISOString();
  // Not by its member `_bsontype`, which any document may have.
  if (tree instanceof BSONValue) return bsonValue(tree as KnownValue);
  if (tree instanceof Date || tree instanceof RegExp) throw withoutForm(tree.constructor.name);
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [nameOf(name, marked), treeAt(level, value, marked)]),
  );
}

function nameOf(name: string, marked: boolean): string {
  if (!marked && name.includes('\0')) throw new InvalidError('it has a name with U+0000');
  return name.replaceAll('&46;', '.');
}

function bsonValue(value: KnownValue): unknown {
  switch (value._bsontype) {
    case 'ObjectId':
      return value.toHexString();
    case 'Int32':
    case 'Double':
      return exactNumber(Number(value.value));
    case 'Long':
      return markedNumber(value.toString());
    case 'Decimal128':
      return decimal(value.toString());
    case 'Binary':
      return binaryText(value);
    default:
      throw withoutForm((value as BSONValue)._bsontype);
  }
}

function decimal(text: string): string {
  if (/^-?\d/.test(text)) return markedNumber(text);
  throw new InvalidError(`it has the number ${text}, which JSON has no form for (RFC 8259 6)`);
}

const uuidType = 4;

/** A UUID as it is usually written, other bytes in base64. */
export function binaryText(value: Binary): string {
  return value.sub_type === uuidType ? value.toUUID().toHexString() : value.toString('base64');
}

const withoutForm = (type: string): InvalidError =>
  new InvalidError(`it has a value of the type ${type}, which JSON has no form for`);
