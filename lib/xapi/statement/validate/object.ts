import type { Activity, Actor, StatementRef } from '../../types.ts';
import { checkActivity } from './activity.ts';
import { checkActor, hasIdentifier } from './actor.ts';
import { type Check, checkBelow, isObject, oneOf } from './check.ts';
import type { Subject } from './section.ts';
import { checkStatementRef } from './statement-ref.ts';

/** What a Statement and a SubStatement may have as object alike. */
type PlainObject = Activity | Actor | StatementRef;

const checksByObjectType = new Map<unknown, Check<PlainObject>>([
  [undefined, checkActivity],
  ['Activity', checkActivity],
  ['Agent', checkActor],
  ['Group', checkActor],
  ['StatementRef', checkStatementRef],
]);

const checkObjectType = oneOf(['Activity', 'Agent', 'Group', 'StatementRef', 'SubStatement'], 'object');

/** Why an object without objectType needs one: it looks like something else than an Activity. */
function subjectWithoutType(object: Readonly<Record<string, unknown>>): Subject | undefined {
  const isActivity = object.id !== undefined;
  const isTyped = Object.keys(object).some((key) => key.toLowerCase() === 'objecttype');
  if (isActivity || isTyped) return undefined;
  if (hasIdentifier(object) || object.member !== undefined) return 'actor as object';
  return object.verb === undefined ? undefined : 'statement as object';
}

/** An Activity, an Agent, a Group or a Statement Reference (xAPI 1.0.3 Data 2.4.4). */
export const checkPlainObject: Check<PlainObject> = (value, inspection): value is PlainObject => {
  if (!isObject(value)) return inspection.mismatch('object', 'must be an object', value);
  const subject = value.objectType === undefined ? subjectWithoutType(value) : undefined;
  if (subject !== undefined) {
    return inspection.refuse(subject, 'is required unless the object is an Activity', 'objectType');
  }
  const check = checksByObjectType.get(value.objectType);
  if (check !== undefined) return check(value, inspection);
  checkBelow('objectType', value.objectType, checkObjectType, inspection);
  return false;
};

export function isSubStatement(value: unknown): boolean {
  return isObject(value) && value.objectType === 'SubStatement';
}
