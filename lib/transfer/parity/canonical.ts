import { createHash } from 'node:crypto';
import { identifierOf } from '../../xapi/agent.ts';
import { normalise } from '../../xapi/statement/normalise.ts';
import { timestampToMicroseconds } from '../../xapi/timestamp.ts';
import type { Statement } from '../../xapi/types.ts';
import { isSameJson, sortedJson } from '../sorted-json.ts';

/** What a comparison looks at, of a statement on one of the two sides. */
export interface ComparedStatement {
  /** SHA-256 of its canonical form, in hexadecimal. */
  readonly hash: string;
  readonly verb: string;
  /** `YYYY-MM-DD` in UTC of its `timestamp`; empty without one. */
  readonly day: string;
  /** The identifier of its Actor; empty for an anonymous Group. */
  readonly actor: string;
}

/** Members that are compared. */
export interface Comparison {
  /** The source's, of which one that is missing was assigned by the store. */
  readonly assigned: readonly AssignedMember[];
}

const assignable = ['stored', 'authority', 'version', 'timestamp'] as const;
type AssignedMember = (typeof assignable)[number];

/** Which of the members that a store assigns are to be the same: those that the source has, and that the store keeps. */
export function comparisonOf(source: Statement, trusted: boolean): Comparison {
  const kept = trusted ? assignable : (['version', 'timestamp'] as const);
  return { assigned: kept.filter((member) => source[member] !== undefined) };
}

export function compared(statement: Statement, comparison: Comparison): ComparedStatement {
  const { timestamp } = statement;
  return {
    hash: createHash('sha256').update(canonicalText(statement, comparison)).digest('hex'),
    verb: statement.verb.id,
    day: timestamp === undefined ? '' : dayOf(timestamp),
    actor: identifierOf(statement.actor) ?? '',
  };
}

/**
 * JSON with sorted names, of the statement as stores have to keep it: single context activities are lists, the id is in
 * lower case, and `stored` counts to the millisecond, because statements that were stored at once come one microsecond after another.
 */
function canonicalText(statement: Statement, comparison: Comparison): string {
  return sortedJson(canonical(statement, comparison));
}

/** Whether both have the same canonical form, in less time than hashing it takes. */
export function isSame(one: Statement, other: Statement, comparison: Comparison): boolean {
  return isSameJson(canonical(one, comparison), canonical(other, comparison));
}

/** The names of the members that are not the same on both sides. */
export function differingMembers(one: Statement, other: Statement, comparison: Comparison): string[] {
  const [here, there] = [canonical(one, comparison), canonical(other, comparison)];
  const names = new Set([...Object.keys(here), ...Object.keys(there)]);
  return [...names].filter((name) => sortedJson(here[name]) !== sortedJson(there[name])).sort();
}

function canonical(
  statement: Statement,
  { assigned }: Comparison,
): Readonly<Partial<Record<string, unknown>>> {
  const normal: Partial<Record<string, unknown>> = {
    ...normalise(statement),
    id: statement.id?.toLowerCase(),
  };
  // Not deleted: V8 reads objects more slowly that have lost a member.
  for (const member of assignable) if (!assigned.includes(member)) normal[member] = undefined;
  if (typeof normal.stored === 'string')
    normal.stored = Math.floor(timestampToMicroseconds(normal.stored) / 1000);
  return normal;
}

function dayOf(timestamp: string): string {
  const milliseconds = Math.floor(timestampToMicroseconds(timestamp) / 1000);
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString().slice(0, 10) : '';
}
