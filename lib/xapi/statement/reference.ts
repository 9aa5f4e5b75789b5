import type { Statement } from '../types.ts';

/** The one reserved Verb: of a statement that voids another (xAPI 1.0.3 Data 2.3.2). */
export const voidedVerb = 'http://adlnet.gov/expapi/verbs/voided';

/** The id, in lower case, of the statement that this one's Object refers to. */
export function targetOf({ object }: Statement): string | undefined {
  return object.objectType === 'StatementRef' ? object.id.toLowerCase() : undefined;
}

/** Whether the statement voids its target; such a statement can't be voided itself (xAPI 1.0.3 Data 2.3.2). */
export function isVoiding(statement: Statement): boolean {
  return statement.verb.id === voidedVerb && statement.object.objectType === 'StatementRef';
}
