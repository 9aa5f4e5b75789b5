import { attachmentsOf } from '../../xapi/statement/attachments.ts';
import type { Statement } from '../../xapi/types.ts';
import { type ComparedStatement, compared, comparisonOf, differingMembers, isSame } from './canonical.ts';
import { exactTree } from './exact-tree.ts';

/** The texts of a statement on both sides; all of it can be sent to a thread. */
export interface StatementPair {
  readonly source: string;
  /** undefined: the target does not have it. */
  readonly target: string | undefined;
}

export interface ComparedPair {
  readonly source: ComparedStatement;
  readonly target: ComparedStatement | undefined;
  /** The names of the members that differ. */
  readonly differing: readonly string[];
  /** The hashes of the attachments that the source's statement describes, in lower case. */
  readonly attachments: readonly string[];
}

/** Compares the statements of a part. @param trusted whether the target keeps `stored` and authority. */
export type CompareStatements = (
  pairs: readonly StatementPair[],
  trusted: boolean,
) => Promise<readonly ComparedPair[]>;

/** @throws SyntaxError when a text is not JSON. */
export function compareStatement({ source, target }: StatementPair, trusted: boolean): ComparedPair {
  const own = exactTree(source) as Statement;
  const comparison = comparisonOf(own, trusted);
  const here = compared(own, comparison);
  const attachments = source.includes('"attachments"')
    ? attachmentsOf(own).map(({ sha2 }) => sha2.toLowerCase())
    : [];
  if (target === undefined) return { source: here, target, differing: [], attachments };
  const found = exactTree(target) as Statement;
  if (isSame(own, found, comparison)) return { source: here, target: here, differing: [], attachments };
  const there = compared(found, comparison);
  const differing = here.hash === there.hash ? [] : differingMembers(own, found, comparison);
  // A timestamp that the store has assigned is on no day of the source.
  const counted = own.timestamp === undefined ? { ...there, day: '' } : there;
  return { source: here, target: counted, differing, attachments };
}
