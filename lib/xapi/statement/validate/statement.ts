import type { Activity, Actor, Statement, StatementObject, StatementRef, SubStatement } from '../../types.ts';
import { checkActivity } from './activity.ts';
import { checkActor, checkAuthority, hasIdentifier } from './actor.ts';
import { checkAttachments } from './attachment.ts';
import { type Check, isObject, objectOf, oneOf, required, textOf } from './check.ts';
import { checkContext } from './context.ts';
import type { Inspection } from './inspection.ts';
import { checkResult } from './result.ts';
import { checkStatementRef } from './statement-ref.ts';
import { checkTimestamp, checkUuid } from './value.ts';
import { checkVerb } from './verb.ts';

const voided = 'http://adlnet.gov/expapi/verbs/voided';

const objectTypes = ['Activity', 'Agent', 'Group', 'StatementRef', 'SubStatement'] as const;
const checkObjectType = oneOf(objectTypes, 'object');

const checksByObjectType: ReadonlyMap<unknown, Check<Activity | Actor | StatementRef>> = new Map<
  unknown,
  Check<Activity | Actor | StatementRef>
>([
  [undefined, checkActivity],
  ['Activity', checkActivity],
  ['Agent', checkActor],
  ['Group', checkActor],
  ['StatementRef', checkStatementRef],
]);

/** What a Statement and a SubStatement may have as object alike. */
function checkPlainObject(value: unknown, inspection: Inspection): value is Activity | Actor | StatementRef {
  if (!isObject(value)) return inspection.mismatch('object', 'must be an object', value);
  if (value.objectType === undefined && value.id === undefined && hasIdentifier(value)) {
    return inspection.refuse(
      'actor as object',
      'must be "Agent" or "Group" when one is the object',
      'objectType',
    );
  }
  const check = checksByObjectType.get(value.objectType);
  if (check !== undefined) return check(value, inspection);
  inspection.enter('objectType');
  checkObjectType(value.objectType, inspection);
  inspection.leave();
  return false;
}

const checkSubStatementObject: Check<SubStatement['object']> = (
  value,
  inspection,
): value is SubStatement['object'] =>
  isObject(value) && value.objectType === 'SubStatement'
    ? inspection.refuse('statement as object', 'must not be "SubStatement" in a SubStatement', 'objectType')
    : checkPlainObject(value, inspection);

const checkStatementObject: Check<StatementObject> = (value, inspection): value is StatementObject =>
  isObject(value) && value.objectType === 'SubStatement'
    ? checkSubStatement(value, inspection)
    : checkPlainObject(value, inspection);

function checkAcross(statement: Readonly<Record<string, unknown>>, inspection: Inspection): void {
  const { verb, object, context } = statement;
  const objectType = isObject(object) ? object.objectType : undefined;
  if (isObject(verb) && verb.id === voided && objectType !== 'StatementRef') {
    inspection.refuse('voiding', 'must be "StatementRef" with the verb "voided"', 'object', 'objectType');
  }
  if (!isObject(context) || objectType === undefined || objectType === 'Activity') return;
  for (const property of ['revision', 'platform']) {
    if (context[property] !== undefined) {
      inspection.refuse('context', 'must only be used when the object is an Activity', 'context', property);
    }
  }
}

const commonProperties = {
  actor: required(checkActor),
  verb: required(checkVerb),
  result: checkResult,
  context: checkContext,
  timestamp: checkTimestamp,
  attachments: checkAttachments,
};

const outerOnly = 'only the Statement around a SubStatement has it';

const checkSubStatement = objectOf<SubStatement>({
  noun: 'a SubStatement',
  subject: 'statement as object',
  properties: {
    ...commonProperties,
    objectType: required(oneOf(['SubStatement'], 'statement as object')),
    object: required(checkSubStatementObject),
  },
  forbidden: { id: outerOnly, stored: outerOnly, version: outerOnly, authority: outerOnly },
  across: checkAcross,
});

const version1 = /^1\.0(?:\.\d+(?:-[0-9A-Za-z-]+)?)?$/;
const version1or2 = /^[12]\.0(?:\.\d+(?:-[0-9A-Za-z-]+)?)?$/;

/** 2.0.0 takes Statements of earlier versions too: "should not reject a Statement that is otherwise valid except the version". */
const checkVersion: Check<string> = (value, inspection): value is string =>
  inspection.version === '1.0.3' ? checkVersion1(value, inspection) : checkVersion1or2(value, inspection);
const checkVersion1 = textOf((text) => version1.test(text), 'version', 'must be 1.0.0 or start with 1.0.');
const checkVersion1or2 = textOf(
  (text) => version1or2.test(text),
  'version',
  'must be 2.0.0 or start with 2.0. or 1.0.',
);

export const checkStatement = objectOf<Statement>({
  noun: 'a Statement',
  subject: 'statement',
  properties: {
    ...commonProperties,
    id: checkUuid,
    object: required(checkStatementObject),
    stored: checkTimestamp,
    authority: checkAuthority,
    version: checkVersion,
  },
  across: checkAcross,
});
