import { likelyMeant } from '../../nearest.ts';
import { type Operator, operators } from '../types.ts';

/** What other languages call the operators. */
const otherNames: Readonly<Record<string, Operator>> = {
  '=': 'eq',
  '==': 'eq',
  '===': 'eq',
  equal: 'eq',
  equals: 'eq',
  is: 'eq',
  ne: 'noteq',
  neq: 'noteq',
  not: 'noteq',
  '!=': 'noteq',
  '!==': 'noteq',
  '<>': 'noteq',
  notequal: 'noteq',
  notequals: 'noteq',
  '>': 'gt',
  '>=': 'gte',
  ge: 'gte',
  '<': 'lt',
  '<=': 'lte',
  le: 'lte',
  includes: 'contains',
  has: 'contains',
};

/** Completes what is said of an unknown operator: which one was likely meant, never one that says the opposite. */
export function hintFor(name: unknown): string {
  if (typeof name !== 'string') return '';
  const plain = name.toLowerCase().replaceAll(/[\s_-]/g, '');
  if (plain === 'in')
    return '; to compare with several values, put an `eq` for each into `or`; did you mean "contains", for an array at the path?';
  const meant = Object.hasOwn(otherNames, plain) ? otherNames[plain] : misspelt(plain);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** Two letters apart are `gt` and `lt`, or `eq` and `neq`: only names that begin alike are taken for each other. */
function misspelt(name: string): Operator | undefined {
  return likelyMeant(
    name,
    operators.filter((operator) => operator[0] === name[0]),
  ) as Operator | undefined;
}
